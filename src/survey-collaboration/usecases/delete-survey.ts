// Use case. Takes a survey out of everybody's sight.
import type { UserActor } from '../../kernel/actor';
import { SurveyNotFoundError } from '../domain/errors';
import { requireManagement } from '../domain/survey';
import type { SurveyRepository } from '../ports/survey-repository';
import type { SurveyRoom } from '../ports/survey-room';

export class DeleteSurvey {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly room: SurveyRoom,
  ) {}

  async run(actor: UserActor, surveyId: string, now: Date): Promise<void> {
    const survey = await this.surveys.find(actor, surveyId);
    if (survey === null) throw new SurveyNotFoundError(surveyId);
    requireManagement(survey, actor, 'delete it');
    await this.surveys.discard(actor, surveyId, now);
    this.room.shutOut(surveyId, survey.owner.tenantId, null);
  }
}
