// Domain. What a survey asks: its fields, each of one type. What may be answered is in answer-value.ts.
import { InvalidSurveyError } from './errors';
import { labelText, optionalText } from './plain-text';

export const FIELD_TYPES = ['text', 'number', 'choice', 'date', 'file'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

interface FieldHead {
  /** Its name for programs; does not change. */
  readonly key: string;
  /** Its name for people. */
  readonly label: string;
  readonly help: string | null;
  /** Counts towards completeness; nobody is kept from leaving it open. */
  readonly required: boolean;
}

export type Field = FieldHead &
  (
    | { readonly type: 'text'; readonly maxLength: number }
    | { readonly type: 'number'; readonly min: number | null; readonly max: number | null }
    | { readonly type: 'choice'; readonly options: readonly string[] }
    | { readonly type: 'date' | 'file' }
  );

/** A field as somebody wrote it down; what does not belong to its type must be absent. */
export interface FieldInput {
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly help?: string | null;
  readonly required?: boolean;
  readonly maxLength?: number | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly options?: readonly string[] | null;
}

export const MOST_FIELDS = 200;
export const MOST_OPTIONS = 100;
/** An answer and all that goes with it fit into one event of 16 KiB, four bytes a character. */
export const LONGEST_TEXT = 3_000;
const KEY = /^[a-z][a-z0-9_]{0,63}$/;

const EXTRAS = { text: ['maxLength'], number: ['min', 'max'], choice: ['options'], date: [], file: [] } as const;
const WIRE = { maxLength: 'max_length', min: 'min', max: 'max', options: 'options' } as const;

/** @throws InvalidSurveyError */
export function surveyFields(inputs: readonly FieldInput[]): Field[] {
  if (inputs.length === 0 || inputs.length > MOST_FIELDS) {
    throw new InvalidSurveyError('fields', `A survey has 1 to ${MOST_FIELDS} fields.`);
  }
  const seen = new Set<string>();
  return inputs.map((input, index) => {
    const field = surveyField(input, `fields.${index}`);
    if (seen.has(field.key))
      throw new InvalidSurveyError(`fields.${index}.key`, `There are two fields "${field.key}".`);
    seen.add(field.key);
    return field;
  });
}

function surveyField(input: FieldInput, at: string): Field {
  if (!KEY.test(input.key)) {
    const rule = 'a small letter, then up to 63 small letters, digits or "_"';
    throw new InvalidSurveyError(`${at}.key`, `A field's key is ${rule}.`);
  }
  const type = FIELD_TYPES.find((known) => known === input.type);
  if (type === undefined) {
    throw new InvalidSurveyError(`${at}.type`, `A field's type is one of ${FIELD_TYPES.join(', ')}.`);
  }
  refuseForeignExtras(input, type, at);
  const head = {
    key: input.key,
    label: labelText(`${at}.label`, input.label, 500),
    help: optionalText(`${at}.help`, input.help ?? null, 2_000),
    required: input.required ?? false,
  };
  if (type === 'text') return { ...head, type, maxLength: maxLength(input.maxLength ?? LONGEST_TEXT, at) };
  if (type === 'number') return { ...head, type, ...range(input.min ?? null, input.max ?? null, at) };
  if (type === 'choice') return { ...head, type, options: options(input.options ?? [], at) };
  return { ...head, type };
}

function refuseForeignExtras(input: FieldInput, type: FieldType, at: string): void {
  const own: readonly string[] = EXTRAS[type];
  for (const name of ['maxLength', 'min', 'max', 'options'] as const) {
    if (own.includes(name) || input[name] === undefined || input[name] === null) continue;
    throw new InvalidSurveyError(`${at}.${WIRE[name]}`, `A field of type ${type} takes no ${WIRE[name]}.`);
  }
}

function maxLength(value: number, at: string): number {
  if (Number.isInteger(value) && value >= 1 && value <= LONGEST_TEXT) return value;
  throw new InvalidSurveyError(`${at}.max_length`, `max_length is a whole number from 1 to ${LONGEST_TEXT}.`);
}

function range(min: number | null, max: number | null, at: string): { min: number | null; max: number | null } {
  if (min !== null && max !== null && min > max) {
    throw new InvalidSurveyError(`${at}.max`, 'max must not be smaller than min.');
  }
  return { min, max };
}

function options(values: readonly string[], at: string): string[] {
  if (values.length === 0 || values.length > MOST_OPTIONS) {
    throw new InvalidSurveyError(`${at}.options`, `A choice has 1 to ${MOST_OPTIONS} options.`);
  }
  const known = values.map((value, index) => labelText(`${at}.options.${index}`, value, 200));
  const twice = known.find((value, index) => known.indexOf(value) !== index);
  if (twice !== undefined) throw new InvalidSurveyError(`${at}.options`, `The option "${twice}" is there twice.`);
  return known;
}
