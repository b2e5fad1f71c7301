// Port. Who is at which field. A lock that nobody renews ends by itself, whatever became of its holder's process.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { FieldLock, LockHolder, UnlockReason } from '../domain/lock';

export type LockTaken =
  | {
      readonly outcome: 'taken';
      readonly lock: FieldLock;
      /** New, or not said for long. */ readonly announce: boolean;
    }
  | { readonly outcome: 'held'; readonly lock: FieldLock };

export interface EndedLock {
  readonly surveyId: string;
  readonly fieldKey: string;
  readonly reason: UnlockReason;
}

export interface LockBook {
  /**
   * Of any number that ask at once exactly one takes it. Asking again is renewing, under the same fence as long as it
   * was held without a gap; every change of hands has a greater one.
   */
  take(actor: UserActor, surveyId: string, fieldKey: string, session: string): Promise<LockTaken>;
  /** Whether there was such a lock to release. */
  release(actor: UserActor, surveyId: string, fieldKey: string, session: string, fence: number): Promise<boolean>;
  /** All that this page holds in this survey; the keys of their fields. */
  releaseAll(actor: UserActor, surveyId: string, session: string): Promise<string[]>;
  /** Takes it away from whoever holds it; who that was, or null. */
  force(actor: UserActor, surveyId: string, fieldKey: string): Promise<FieldLock | null>;
  /** Those of these people, or of everybody; the keys of their fields. */
  forceAll(actor: UserActor, surveyId: string, userIds: readonly string[] | 'everybody'): Promise<string[]>;
  /** Those that are held at this moment. */
  live(actor: UserActor, surveyId: string): Promise<FieldLock[]>;
  /** The connection of the holder broke: its locks end after the grace, if they are not renewed before. */
  shorten(surveyId: string, holder: LockHolder): Promise<void>;
  /** The holder is back: its locks last again as long as they would have. */
  lengthen(actor: UserActor, surveyId: string, session: string): Promise<void>;
  /** When the first of all locks ends unless it is renewed; null: none is held. */
  nextEnd(): Promise<Date | null>;
  /** Each expired lock is answered once, over all processes. */
  endExpired(): Promise<EndedLock[]>;
}

export const LockBook = token<LockBook>('LockBook');
