// Use case. Begins or goes on to edit a field: takes its lock, or renews it.
import type { UserActor } from '../../kernel/actor';
import { FieldLockedError, FieldNotFoundError, SurveyClosedError, SurveyNotFoundError } from '../domain/errors';
import type { FieldLock } from '../domain/lock';
import type { LockBook } from '../ports/lock-book';
import type { SurveyRepository } from '../ports/survey-repository';
import type { SurveyRoom } from '../ports/survey-room';

export class TakeLock {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly locks: LockBook,
    private readonly room: SurveyRoom,
  ) {}

  async run(actor: UserActor, surveyId: string, fieldKey: string, session: string): Promise<FieldLock> {
    const survey = await this.surveys.find(actor, surveyId);
    if (survey === null) throw new SurveyNotFoundError(surveyId);
    if (!survey.fields.some(({ key }) => key === fieldKey)) throw new FieldNotFoundError(fieldKey);
    if (survey.status === 'closed') throw new SurveyClosedError();
    const taken = await this.locks.take(actor, surveyId, fieldKey, session);
    if (taken.outcome === 'held') throw new FieldLockedError(taken.lock.holder, taken.lock.expiresAt);
    if (taken.announce) {
      this.room.locked(surveyId, taken.lock);
      this.room.presence(surveyId, 'move', { userId: actor.userId, session, fieldKey });
    }
    return taken.lock;
  }
}
