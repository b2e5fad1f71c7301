// Use case. Takes a lock away from whoever holds it: for the owner of the survey and for managers.
import type { UserActor } from '../../kernel/actor';
import { FieldNotFoundError, SurveyNotFoundError } from '../domain/errors';
import type { LockHolder } from '../domain/lock';
import { requireManagement } from '../domain/survey';
import type { LockBook } from '../ports/lock-book';
import type { SurveyRepository } from '../ports/survey-repository';
import type { SurveyRoom } from '../ports/survey-room';

export class UnlockField {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly locks: LockBook,
    private readonly room: SurveyRoom,
  ) {}

  /** Who held it; null when nobody did. */
  async run(actor: UserActor, surveyId: string, fieldKey: string): Promise<LockHolder | null> {
    const survey = await this.surveys.find(actor, surveyId);
    if (survey === null) throw new SurveyNotFoundError(surveyId);
    requireManagement(survey, actor, 'take a lock away');
    const lock = await this.locks.force(actor, surveyId, fieldKey);
    if (lock === null) {
      if (!survey.fields.some(({ key }) => key === fieldKey)) throw new FieldNotFoundError(fieldKey);
      return null;
    }
    this.room.unlocked(surveyId, fieldKey, 'forced');
    return lock.holder;
  }
}
