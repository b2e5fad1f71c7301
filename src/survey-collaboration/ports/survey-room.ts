// Port. Everyone who has a survey open, wherever their connection ends. What is said here may be lost or come late: it is
// a hint, and whoever missed one asks again.
import { token } from '../../kernel/token';
import type { AnswerVersion } from '../domain/answer';
import type { FieldLock, Presence, UnlockReason } from '../domain/lock';

export type PresenceChange = 'join' | 'leave' | 'move';

export interface SurveyRoom {
  /** In the order of their sequence numbers, as far as one process wrote them. */
  updated(surveyId: string, version: AnswerVersion): void;
  locked(surveyId: string, lock: FieldLock): void;
  unlocked(surveyId: string, fieldKey: string, reason: UnlockReason): void;
  presence(surveyId: string, change: PresenceChange, presence: Presence): void;
  /** The survey itself was changed: its fields, its status. */
  changed(surveyId: string, rev: number): void;
  /** These people may not fill it any more: they hear nothing further. Null: nobody may, it is gone. */
  shutOut(surveyId: string, tenantId: number, userIds: readonly string[] | null): void;
}

export const SurveyRoom = token<SurveyRoom>('SurveyRoom');
