// Outbound. Rows of survey_answers and survey_answer_versions, and what they hold.
import type { Answer, AnswerValue, AnswerVersion } from '../domain/answer';

export interface AnswerRow {
  readonly survey_id: string;
  readonly field_key: string;
  readonly user_id: string;
  readonly value: AnswerValue | null;
  readonly version: number;
  readonly rev: string;
  readonly updated_at: Date;
}

export interface VersionRow extends AnswerRow {
  readonly old_value: AnswerValue | null;
  readonly overwrote: boolean;
  readonly op_id: string | null;
}

export const ANSWER_COLUMNS = 'a.survey_id, a.field_key, a.user_id, a.value, a.version, a.rev, a.updated_at';
export const VERSION_COLUMNS =
  'v.survey_id, v.field_key, v.user_id, v.value, v.version, v.rev, v.created_at as updated_at, v.old_value, ' +
  'v.overwrote, v.op_id';

export function toAnswer(row: AnswerRow): Answer {
  const { value, version } = row;
  const more = { userId: row.user_id, updatedAt: row.updated_at, rev: Number(row.rev) };
  return { fieldKey: row.field_key, value, version, ...more };
}

export function toVersion(row: VersionRow): AnswerVersion {
  return { ...toAnswer(row), oldValue: row.old_value, overwrote: row.overwrote };
}
