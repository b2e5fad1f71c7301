// Domain. What lets a machine in: a secret that is shown once and works for as many keys as it was made for.
import { InvalidAgentError } from './errors';

export interface EnrollmentToken {
  readonly id: string;
  readonly tenantId: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly maxUses: number;
  readonly uses: number;
  /** Bound to an agent that is there already: its new certificate replaces all it had. */
  readonly agentId: string | null;
  readonly labels: readonly string[];
}

export const TOKEN_PREFIX = 'hzt_';
export const USUAL_TTL_SECONDS = 3_600;
const LONGEST_TTL_SECONDS = 30 * 86_400;
const MOST_USES = 10_000;

export function tokenLife(now: Date, ttlSeconds = USUAL_TTL_SECONDS): Date {
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 60 || ttlSeconds > LONGEST_TTL_SECONDS) {
    throw new InvalidAgentError('ttl_sec', `ttl_sec must be a whole number from 60 to ${LONGEST_TTL_SECONDS}.`);
  }
  return new Date(now.getTime() + ttlSeconds * 1_000);
}

export function tokenUses(maxUses = 1, bound = false): number {
  if (!Number.isInteger(maxUses) || maxUses < 1 || maxUses > MOST_USES) {
    throw new InvalidAgentError('max_uses', `max_uses must be a whole number from 1 to ${MOST_USES}.`);
  }
  if (bound && maxUses !== 1) throw new InvalidAgentError('max_uses', 'max_uses must be 1 for one agent.');
  return maxUses;
}

/** What could be a token of ours: anything else is not looked up. */
export function looksLikeToken(text: string): boolean {
  return /^hzt_[A-Za-z0-9_-]{32}$/.test(text);
}
