// Domain. What an operator may write about an assistant of the driver `pull`: agents that fetch their work themselves.
import type { Settings } from '../settings';

export interface PullSettings {
  readonly kind: 'pull';
  /** How long a run that was fetched stays with its agent without a sign of life. */
  readonly leaseSeconds: number;
  /** How long a run waits to be fetched. */
  readonly claimTimeoutSeconds: number;
  /**
   * Only enrolled machines that have all of these may fetch its runs (an empty list: any enrolled machine), and nobody
   * with a mere token. Null: the other way round.
   */
  readonly labels: readonly string[] | null;
}

export const PULL_KEYS = ['lease_seconds', 'claim_timeout_seconds', 'labels'] as const;

const LABEL = /^[a-z0-9](?:[a-z0-9._:/=-]{0,62}[a-z0-9])?$/;

export function pullFrom(settings: Settings): PullSettings {
  return {
    kind: 'pull',
    leaseSeconds: settings.whole('lease_seconds', 5, 3600) ?? 60,
    claimTimeoutSeconds: settings.whole('claim_timeout_seconds', 1, 7 * 24 * 3600) ?? 3600,
    labels: labelsFrom(settings),
  };
}

function labelsFrom(settings: Settings): readonly string[] | null {
  if (!settings.has('labels')) return null;
  const labels = [...new Set(settings.words('labels'))].sort();
  for (const label of labels) {
    if (!LABEL.test(label)) {
      settings.refuse(
        'labels',
        `"${label.slice(0, 80)}" is none: 1 to 64 of a-z, 0-9 and ._:/=-, as \`agents token\` has it`,
      );
    }
  }
  return labels;
}

/** Whether a machine with these labels may fetch its runs. */
export function isForMachine({ labels }: PullSettings, of: readonly string[]): boolean {
  return labels !== null && labels.every((label) => of.includes(label));
}
