// Domain. Where everyone who has a survey open is met. Made here only: nobody names a room from outside.

export const FILL_SURVEY = '/socket/fill-survey';

export function roomOf(surveyId: string): string {
  return `survey ${surveyId}`;
}
