// Outbound adapter. Says to the connected pages, in every process, what happened. Event names and payloads are a contract:
// docs/surveys.md.
import { wireTime } from '../../platform/protocol/wire-time';
import type { Doorway } from '../../platform/sockets';
import type { AnswerVersion } from '../domain/answer';
import type { FieldLock, Presence, UnlockReason } from '../domain/lock';
import { roomOf } from '../domain/room';
import type { PresenceChange, SurveyRoom } from '../ports/survey-room';

export class SocketSurveyRoom implements SurveyRoom {
  constructor(private readonly doorway: Doorway) {}

  updated(surveyId: string, { fieldKey, value, version, userId, updatedAt, rev }: AnswerVersion): void {
    const what = { field_key: fieldKey, value, version, user: userId, updated_at: wireTime(updatedAt), rev };
    this.say(surveyId, 'updated', what);
  }

  locked(surveyId: string, { fieldKey, holder, expiresAt }: FieldLock): void {
    const { userId: user, session } = holder;
    this.say(surveyId, 'lock', { field_key: fieldKey, user, session, expires_at: wireTime(expiresAt) });
  }

  unlocked(surveyId: string, fieldKey: string, reason: UnlockReason): void {
    this.say(surveyId, 'unlock', { field_key: fieldKey, reason });
  }

  presence(surveyId: string, type: PresenceChange, { userId: user, session, fieldKey }: Presence): void {
    this.say(surveyId, 'presence', { type, user, session, field_key: fieldKey });
  }

  changed(surveyId: string, rev: number): void {
    this.say(surveyId, 'changed', { rev });
  }

  shutOut(surveyId: string, tenantId: number, userIds: readonly string[] | null): void {
    // They are told first: what comes after that they do not hear.
    this.say(surveyId, 'removed', { users: userIds });
    for (const userId of userIds ?? []) this.doorway.evict({ tenantId, userId }, roomOf(surveyId));
  }

  private say(surveyId: string, event: string, payload: object): void {
    this.doorway.emit(roomOf(surveyId), event, { survey_id: surveyId, ...payload });
  }
}
