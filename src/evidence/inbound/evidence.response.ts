// Inbound. What of a piece of evidence may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import {
  type Evidence,
  EVIDENCE_SOURCES,
  EVIDENCE_STATUSES,
  type EvidenceSource,
  type EvidenceStatus,
  REVIEW_DECISIONS,
  type ReviewDecision,
} from '../domain/evidence';

const MOMENT = '2026-08-01T09:00:00+00:00';
const TIME = { type: String, format: 'date-time', nullable: true, example: null } as const;
const TEXT = { type: String, nullable: true } as const;

export class EvidenceResponse {
  @ApiProperty({ example: 'evidence-019870c2f3a47c1e8a5b0d6f2e4c9b72' })
  readonly id: string;

  @ApiProperty({ example: 'project-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly project_id: string;

  @ApiProperty({ ...TEXT, example: null })
  readonly task_id: string | null;

  @ApiProperty({ description: 'Made safe for every file system.', example: 'Access policy.pdf' })
  readonly name: string;

  @ApiProperty({ example: 'application/pdf' })
  readonly mime_type: string;

  @ApiProperty({ example: 48_213 })
  readonly size_bytes: number;

  @ApiProperty({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  readonly sha256: string;

  @ApiProperty({ enum: EVIDENCE_SOURCES, example: 'upload' })
  readonly source: EvidenceSource;

  @ApiProperty({ ...TEXT, description: 'The file of Google Drive that it is.', example: null })
  readonly drive_file_id: string | null;

  @ApiProperty({ enum: EVIDENCE_STATUSES, example: 'unclassified' })
  readonly status: EvidenceStatus;

  @ApiProperty({ ...TEXT, example: null })
  readonly control_family: string | null;

  @ApiProperty({
    enum: REVIEW_DECISIONS,
    nullable: true,
    description: 'What a person said of the suggested family.',
    example: null,
  })
  readonly review_decision: ReviewDecision | null;

  @ApiProperty({ ...TEXT, example: null })
  readonly reviewed_by: string | null;

  @ApiProperty(TIME)
  readonly reviewed_at: string | null;

  @ApiProperty({ ...TEXT, example: 'alice' })
  readonly created_by: string | null;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ example: MOMENT })
  readonly updated_at: string;

  @ApiProperty(TIME)
  readonly deleted_at: string | null;

  constructor(evidence: Evidence) {
    this.id = evidence.id;
    this.project_id = evidence.projectId;
    this.task_id = evidence.taskId;
    this.name = evidence.name;
    this.mime_type = evidence.mimeType;
    this.size_bytes = evidence.sizeBytes;
    this.sha256 = evidence.sha256;
    this.source = evidence.source;
    this.drive_file_id = evidence.driveFileId;
    this.status = evidence.status;
    this.control_family = evidence.controlFamily;
    this.review_decision = evidence.reviewDecision;
    this.reviewed_by = evidence.reviewedBy;
    this.reviewed_at = wireTimeOrNull(evidence.reviewedAt);
    this.created_by = evidence.createdBy;
    this.created_at = wireTime(evidence.createdAt);
    this.updated_at = wireTime(evidence.updatedAt);
    this.deleted_at = wireTimeOrNull(evidence.deletedAt);
  }
}
