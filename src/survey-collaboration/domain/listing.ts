// Domain. What people ask of a list of surveys or of a history: which part of it, and where in it.
import type { SurveyStatus } from './survey';

export interface SurveyFilter {
  readonly status?: SurveyStatus;
  /** Found in the title, without regard to case; every character means itself. */
  readonly text?: string;
}

/** Newest first. */
export interface SurveyPage {
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}

/** Newest first; `before` is the sequence number of the last change seen. */
export interface HistoryPage {
  readonly limit: number;
  readonly before: number | null;
}
