// Outbound. A row of surveys, and the survey that it holds. What is in `fields` was checked when it was written.
import type { Field } from '../domain/field';
import type { Audience, Survey, SurveyStatus } from '../domain/survey';

export interface SurveyRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
  readonly audience: Audience;
  readonly members: readonly string[];
  readonly status: SurveyStatus;
  /** bigint, which the driver hands over as a text. */
  readonly rev: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const SURVEY_COLUMNS =
  'id, tenant_id, user_id, title, description, fields, audience, members, status, rev, created_at, updated_at';

export function toSurvey(row: SurveyRow): Survey {
  const { id, title, description, fields, audience, members, status } = row;
  const owner = { tenantId: row.tenant_id, userId: row.user_id };
  const moments = { createdAt: row.created_at, updatedAt: row.updated_at };
  return { id, owner, title, description, fields, audience, members, status, rev: Number(row.rev), ...moments };
}
