// Domain rule. What may be answered to a field of each type.
import type { AnswerValue, FileReference } from './answer';
import { InvalidAnswerError } from './errors';
import type { Field } from './field';
import { isKeepable, tooLong } from './plain-text';

/** The value as it is kept; null takes an answer back, and so does an empty text. @throws InvalidAnswerError */
export function answerValue(field: Field, value: unknown): AnswerValue | null {
  if (value === null) return null;
  switch (field.type) {
    case 'text':
      return text(field.maxLength, value);
    case 'number':
      return number(field.min, field.max, value);
    case 'choice':
      return choice(field.options, value);
    case 'date':
      return date(value);
    case 'file':
      return file(value);
  }
}

function text(maxLength: number, value: unknown): string | null {
  if (typeof value !== 'string') throw new InvalidAnswerError('The answer to this field is a text.');
  if (tooLong(value, maxLength)) throw new InvalidAnswerError(`The answer is longer than ${maxLength} characters.`);
  if (!isKeepable(value)) throw new InvalidAnswerError('The answer has characters that cannot be stored.');
  return value === '' ? null : value;
}

function number(min: number | null, max: number | null, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new InvalidAnswerError('The answer to this field is a number.');
  }
  if (min !== null && value < min) throw new InvalidAnswerError(`The answer must be at least ${min}.`);
  if (max !== null && value > max) throw new InvalidAnswerError(`The answer must be at most ${max}.`);
  // Minus zero would come back as another value than was sent.
  return value === 0 ? 0 : value;
}

function choice(options: readonly string[], value: unknown): string {
  if (typeof value === 'string' && options.includes(value)) return value;
  throw new InvalidAnswerError(`The answer must be one of: ${options.join(', ')}.`);
}

function date(value: unknown): string {
  if (typeof value === 'string' && isDay(value)) return value;
  throw new InvalidAnswerError('The answer is a day of the calendar, as 2027-03-31.');
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function file(value: unknown): FileReference {
  const { file_id, name, ...rest } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Partial<FileReference>;
  if (!isLine(file_id) || !isLine(name) || Object.keys(rest).length > 0) {
    throw new InvalidAnswerError('The answer is a file: {"file_id": "…", "name": "…"}, each of 1 to 255 characters.');
  }
  return { file_id, name };
}

function isLine(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    !tooLong(value, 255) &&
    isKeepable(value) &&
    !/\p{Cc}/u.test(value)
  );
}
