// Domain. What an operator may write about an assistant of the driver `pull`: agents that fetch their work themselves.
import type { Settings } from '../settings';

export interface PullSettings {
  readonly kind: 'pull';
  /** How long a run that was fetched stays with its agent without a sign of life. */
  readonly leaseSeconds: number;
  /** How long a run waits to be fetched. */
  readonly claimTimeoutSeconds: number;
}

export const PULL_KEYS = ['lease_seconds', 'claim_timeout_seconds'] as const;

export function pullFrom(settings: Settings): PullSettings {
  return {
    kind: 'pull',
    leaseSeconds: settings.whole('lease_seconds', 5, 3600) ?? 60,
    claimTimeoutSeconds: settings.whole('claim_timeout_seconds', 1, 7 * 24 * 3600) ?? 3600,
  };
}
