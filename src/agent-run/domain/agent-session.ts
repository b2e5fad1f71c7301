// Domain. The time somebody (an agent, a program, an open page) is there: tasks may be bound to it and end with it. It is
// held by the process that opened it and ends with that, too; or when nobody has renewed it in time.
import type { Owner } from '../../kernel/actor';
import { InvalidInputError } from './errors';

export const SESSION_ID_PREFIX = 'session-';
export const SESSION_TTL = { least: 10, usual: 3_600, most: 604_800 } as const;

/** By its owner; by nobody renewing it; with its process. */
export type SessionEnd = 'closed' | 'expired' | 'process_lost';

export interface AgentSession {
  readonly id: string;
  readonly owner: Owner;
  /** The conversation of the one who is there. */
  readonly threadId: string | null;
  readonly assistantId: string | null;
  readonly instanceId: string;
  readonly ttlSeconds: number;
  readonly openedAt: Date;
  readonly expiresAt: Date;
}

export function ttlSeconds(value: number | null): number {
  const { least, usual, most } = SESSION_TTL;
  if (value === null) return usual;
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidInputError(
      'ttl_seconds',
      `ttl_seconds must be a whole number of seconds from ${least} to ${most}.`,
    );
  }
  return value;
}

export function expiry(now: Date, ttl: number): Date {
  return new Date(now.getTime() + ttl * 1_000);
}
