// Outbound. Rows of compliance.evidence_classification_runs and …_files.
import type { ClassificationRun, ClassifiedFile, Decision, RunReason, RunStatus } from '../domain/classification-run';

export interface RunRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly project_id: string;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly detail: string | null;
  readonly runner: string | null;
  readonly image: string;
  readonly total_files: number;
  readonly done_files: number;
  readonly failed_files: number;
  readonly deadline_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface FileRow {
  readonly evidence_id: string;
  readonly name: string;
  readonly state: ClassifiedFile['state'];
  readonly control_family: string | null;
  readonly confidence: number | null;
  readonly words: string[];
  readonly error: string | null;
  readonly review_decision: Decision | null;
  readonly reviewed_family: string | null;
  readonly reviewed_by: string | null;
  readonly reviewed_at: Date | null;
}

export function toRun(row: RunRow): ClassificationRun {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    projectId: row.project_id,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    runner: row.runner,
    image: row.image,
    totalFiles: row.total_files,
    doneFiles: row.done_files,
    failedFiles: row.failed_files,
    deadlineAt: row.deadline_at,
    cancelRequestedAt: row.cancel_requested_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function toFile(row: FileRow): ClassifiedFile {
  return {
    evidenceId: row.evidence_id,
    name: row.name,
    state: row.state,
    controlFamily: row.control_family,
    confidence: row.confidence,
    words: row.words,
    error: row.error,
    reviewDecision: row.review_decision,
    reviewedFamily: row.reviewed_family,
    reviewedBy: row.reviewed_by,
    reviewedAt: row.reviewed_at,
  };
}
