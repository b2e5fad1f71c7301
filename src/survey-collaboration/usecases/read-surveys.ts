// Use case. Surveys and their answers, for those who may fill them.
import type { UserActor } from '../../kernel/actor';
import type { Answer, AnswerVersion } from '../domain/answer';
import { FieldNotFoundError, SurveyNotFoundError } from '../domain/errors';
import type { HistoryPage, SurveyFilter, SurveyPage } from '../domain/listing';
import type { FieldLock } from '../domain/lock';
import { openQuestions, type Survey } from '../domain/survey';
import type { AnswerBook } from '../ports/answer-book';
import type { LockBook } from '../ports/lock-book';
import type { SurveyRepository } from '../ports/survey-repository';

export interface SurveyDetail {
  readonly survey: Survey;
  readonly answers: readonly Answer[];
  readonly locks: readonly FieldLock[];
  /** Keys of required fields without an answer. */
  readonly missing: readonly string[];
}

export class ReadSurveys {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly answers: AnswerBook,
    private readonly locks: LockBook,
  ) {}

  list(actor: UserActor, filter: SurveyFilter, page: SurveyPage): Promise<Survey[]> {
    return this.surveys.list(actor, filter, page);
  }

  async orRefuse(actor: UserActor, surveyId: string): Promise<Survey> {
    const survey = await this.surveys.find(actor, surveyId);
    if (survey === null) throw new SurveyNotFoundError(surveyId);
    return survey;
  }

  async detail(actor: UserActor, surveyId: string): Promise<SurveyDetail> {
    // The survey first: an answer that is newer than its sequence number comes again as an event, and none is left out.
    const survey = await this.orRefuse(actor, surveyId);
    const answers = await this.answers.answers(actor, surveyId, 0);
    const locks = await this.locks.live(actor, surveyId);
    return { survey, answers, locks, missing: openQuestions(survey, answers) };
  }

  /** Newest first; also of fields that have been answered and are gone since. */
  async history(
    actor: UserActor,
    surveyId: string,
    fieldKey: string | null,
    page: HistoryPage,
  ): Promise<AnswerVersion[]> {
    const { fields } = await this.orRefuse(actor, surveyId);
    const history = await this.answers.history(actor, surveyId, fieldKey, page);
    if (history.length === 0 && fieldKey !== null && !fields.some(({ key }) => key === fieldKey)) {
      throw new FieldNotFoundError(fieldKey);
    }
    return history;
  }
}
