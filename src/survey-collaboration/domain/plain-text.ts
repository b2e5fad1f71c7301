// Domain rule. Texts for people: what can be kept exactly as it was sent, on one line or on several.
import { InvalidSurveyError } from './errors';

const UNKEEPABLE = /[\0\p{Surrogate}]/u;

/** One line, not blank. @throws InvalidSurveyError */
export function labelText(field: string, text: string, most: number): string {
  if (text.trim() === '' || tooLong(text, most) || /\p{Cc}/u.test(text) || UNKEEPABLE.test(text)) {
    throw new InvalidSurveyError(field, `${field} must be 1 to ${most} characters on one line.`);
  }
  return text;
}

/** Several lines, or nothing. @throws InvalidSurveyError */
export function optionalText(field: string, text: string | null, most: number): string | null {
  if (text === null) return null;
  if (tooLong(text, most) || UNKEEPABLE.test(text)) {
    throw new InvalidSurveyError(field, `${field} must be at most ${most} characters of text.`);
  }
  return text;
}

/** In characters, not in halves of them. */
export function tooLong(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}

export function isKeepable(text: string): boolean {
  return !UNKEEPABLE.test(text);
}
