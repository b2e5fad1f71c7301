// Domain. Who is at a field. The lock keeps most conflicts from arising; the version of the answer catches the rest.

/**
 * A session is one page of one person: it outlives a reconnection, which a socket does not, and two pages of the same
 * person are two. Its name is seen by all who fill the survey, so it means nothing without the person.
 */
export interface LockHolder {
  readonly userId: string;
  readonly session: string;
}

export interface FieldLock {
  readonly fieldKey: string;
  readonly holder: LockHolder;
  /** Grows for ever with each change of hands: a late writer shows an old one. */
  readonly fence: number;
  readonly expiresAt: Date;
}

export type UnlockReason = 'released' | 'expired' | 'disconnected' | 'forced';

export interface LockPolicy {
  /** How long a lock is held without being renewed. */
  readonly ttlMs: number;
  /** What is left of it when the connection of its holder breaks. */
  readonly graceMs: number;
  /** How long somebody is shown as present without a sign of life from their process. */
  readonly presenceTtlMs: number;
}

export function isHeldBy(lock: FieldLock, { userId, session }: LockHolder): boolean {
  return lock.holder.userId === userId && lock.holder.session === session;
}

/** Of one person, on one page. */
export interface Presence extends LockHolder {
  /** The field that they are at. */
  readonly fieldKey: string | null;
}
