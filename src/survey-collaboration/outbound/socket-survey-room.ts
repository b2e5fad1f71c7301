// Outbound adapter. Says to the connected pages what happened. As long as no socket is open there is nobody to tell.
import type { AnswerVersion } from '../domain/answer';
import type { FieldLock, Presence, UnlockReason } from '../domain/lock';
import type { PresenceChange, SurveyRoom } from '../ports/survey-room';

export class SocketSurveyRoom implements SurveyRoom {
  updated(_surveyId: string, _version: AnswerVersion): void {}
  locked(_surveyId: string, _lock: FieldLock): void {}
  unlocked(_surveyId: string, _fieldKey: string, _reason: UnlockReason): void {}
  presence(_surveyId: string, _change: PresenceChange, _presence: Presence): void {}
  changed(_surveyId: string, _rev: number): void {}
  shutOut(_surveyId: string, _userIds: readonly string[] | null): void {}
}
