// Port. Where surveys are kept.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { SurveyFilter, SurveyPage } from '../domain/listing';
import type { Survey } from '../domain/survey';

/** What a survey becomes, given the keys of the fields that were ever answered. What it throws is passed on. */
export type Change = (survey: Survey, answered: ReadonlySet<string>) => Survey;

export interface SurveyRepository {
  add(actor: UserActor, survey: Survey): Promise<void>;
  /** Null also for one that this person may not fill. */
  find(actor: UserActor, surveyId: string): Promise<Survey | null>;
  /** Those that this person may fill, newest first. */
  list(actor: UserActor, filter: SurveyFilter, page: SurveyPage): Promise<Survey[]>;
  /** Read and written under one lock: no answer is written in between. Null when there is none to be found. */
  change(actor: UserActor, surveyId: string, change: Change): Promise<{ before: Survey; after: Survey } | null>;
  /** Out of sight at once and for ever; the rows stay. */
  discard(actor: UserActor, surveyId: string, now: Date): Promise<void>;
}

export const SurveyRepository = token<SurveyRepository>('SurveyRepository');
