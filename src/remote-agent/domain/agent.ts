// Domain. A machine that works for a tenant, and the words people give it.
import { InvalidAgentError } from './errors';

export interface RemoteAgent {
  readonly id: string;
  readonly tenantId: number;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly suspectedCloneAt: Date | null;
  /** By the server's clock, when it was last heard of. */
  readonly lastSeenAt: Date | null;
  readonly isOnline: boolean;
  /** How far its clock is ahead of ours, in milliseconds. */
  readonly clockSkewMs: number | null;
  /** Of its newest certificate. */
  readonly certificateExpiresAt: Date | null;
}

export interface AgentCounts {
  readonly total: number;
  readonly online: number;
  readonly offline: number;
  readonly disabled: number;
  readonly suspectedClones: number;
  /** Whose certificate ends within a day. */
  readonly expiringSoon: number;
}

const LABEL = /^[a-z0-9](?:[a-z0-9._:/=-]{0,62}[a-z0-9])?$/;
const MOST_LABELS = 32;

/** @throws InvalidAgentError */
export function agentName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > 128 || /\p{Cc}/u.test(name)) {
    throw new InvalidAgentError('name', 'name must be 1 to 128 characters on one line.');
  }
  return name;
}

export function agentVersion(text: string | undefined): string {
  const version = (text ?? '').trim();
  if (version.length > 64 || /\p{Cc}/u.test(version)) {
    throw new InvalidAgentError('version', 'version must be at most 64 characters on one line.');
  }
  return version;
}

/** Sorted and without repetition. @throws InvalidAgentError */
export function agentLabels(texts: readonly string[] | undefined): readonly string[] {
  const labels = [...new Set(texts ?? [])].sort();
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined) {
    throw new InvalidAgentError(
      'labels',
      `labels: ${JSON.stringify(wrong.slice(0, 80))} is none; a label is 1 to 64 of a-z, 0-9 and ._:/=- ` +
        'and begins and ends with a letter or digit.',
    );
  }
  if (labels.length > MOST_LABELS) throw new InvalidAgentError('labels', `labels must be at most ${MOST_LABELS}.`);
  return labels;
}
