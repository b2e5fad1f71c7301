// Outbound. Rows of compliance.framework_parse_jobs and of framework_controls.
import type { DocumentFormat, ParseJob, ParseJobStatus, StoredControl } from '../domain/parse-job';

export interface ParseJobRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly name: string;
  readonly format: DocumentFormat;
  readonly status: ParseJobStatus;
  readonly document_bytes: number;
  readonly total_controls: number | null;
  readonly done_controls: number;
  readonly error: string | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly reviewed_by: string | null;
  readonly reviewed_at: Date | null;
}

export interface ControlRow {
  readonly nr: number;
  readonly control_id: string;
  readonly family: string | null;
  readonly title: string;
  readonly statement: string;
}

export function toParseJob(row: ParseJobRow): ParseJob {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    format: row.format,
    status: row.status,
    documentBytes: row.document_bytes,
    totalControls: row.total_controls,
    doneControls: row.done_controls,
    error: row.error,
    createdBy: row.created_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    reviewedBy: row.reviewed_by,
    reviewedAt: row.reviewed_at,
  };
}

export function toControl({ nr, control_id, family, title, statement }: ControlRow): StoredControl {
  return { nr, controlId: control_id, family, title, statement };
}
