// Domain. The answers of a survey as comma-separated values (RFC 4180), one line for each field.
import type { Answer, AnswerValue } from './answer';
import type { Survey } from './survey';

const HEAD = ['field_key', 'label', 'type', 'required', 'value', 'version', 'updated_by', 'updated_at'];

export function surveyCsv({ fields }: Pick<Survey, 'fields'>, answers: readonly Answer[]): string {
  const given = new Map(answers.map((answer) => [answer.fieldKey, answer]));
  const lines = fields.map(({ key, label, type, required }) => {
    const answer = given.get(key);
    const known = answer === undefined ? [0, '', ''] : [answer.version, answer.userId, answer.updatedAt.toISOString()];
    return [key, label, type, String(required), shown(answer?.value ?? null), ...known];
  });
  return [HEAD, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function shown(value: AnswerValue | null): string | number {
  if (value === null) return '';
  return typeof value === 'object' ? `${value.name} (${value.file_id})` : value;
}

/** A text that a spreadsheet would run as a formula gets a quote in front, which spreadsheets take for "this is text". */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
