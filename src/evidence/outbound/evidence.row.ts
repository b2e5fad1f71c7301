// Outbound. Rows of evidence, column by column, both ways.
import type { Evidence, EvidenceSource, EvidenceStatus, ReviewDecision } from '../domain/evidence';

export interface EvidenceRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly name: string;
  readonly mime_type: string;
  readonly size_bytes: string;
  readonly sha256: string;
  readonly storage_key: string;
  readonly source: EvidenceSource;
  readonly drive_file_id: string | null;
  readonly status: EvidenceStatus;
  readonly control_family: string | null;
  readonly review_decision: ReviewDecision | null;
  readonly reviewed_by: string | null;
  readonly reviewed_at: Date | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
}

export function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    projectId: row.project_id,
    taskId: row.task_id,
    name: row.name,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    storageKey: row.storage_key,
    source: row.source,
    driveFileId: row.drive_file_id,
    status: row.status,
    controlFamily: row.control_family,
    reviewDecision: row.review_decision,
    reviewedBy: row.reviewed_by,
    reviewedAt: row.reviewed_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    deletedBy: row.deleted_by,
  };
}

/** In the order of the insert's columns. */
export function evidenceValues(evidence: Evidence): unknown[] {
  const { id, tenantId, projectId, taskId, name, mimeType, sizeBytes, sha256, storageKey, source } = evidence;
  const { driveFileId, status, controlFamily, createdBy, createdAt, updatedAt } = evidence;
  return [
    ...[id, tenantId, projectId, taskId, name, mimeType, sizeBytes, sha256, storageKey, source],
    ...[driveFileId, status, controlFamily, createdBy, createdAt, updatedAt],
  ];
}
