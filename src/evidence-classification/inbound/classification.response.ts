// Inbound. What of a classification run may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import {
  type ClassificationRun,
  type ClassifiedFile,
  type Decision,
  DECISIONS,
  RUN_REASONS,
  RUN_STATUSES,
  type RunReason,
  type RunStatus,
} from '../domain/classification-run';

const MOMENT = '2026-08-01T09:00:00+00:00';
const TIME = { type: String, format: 'date-time', nullable: true, example: MOMENT } as const;
const TEXT = { type: String, nullable: true } as const;

export class ClassificationRunResponse {
  @ApiProperty({ example: 'classification-019870c2f3a47c1e8a5b0d6f2e4c9b73' })
  readonly id: string;

  @ApiProperty({ example: 'project-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly project_id: string;

  @ApiProperty({ enum: RUN_STATUSES, example: 'running' })
  readonly status: RunStatus;

  @ApiProperty({ enum: RUN_REASONS, nullable: true, description: 'Why it did not succeed.', example: null })
  readonly reason: RunReason | null;

  @ApiProperty({ ...TEXT, description: 'What the program or the engine said.', example: null })
  readonly detail: string | null;

  @ApiProperty({ ...TEXT, description: '`docker`, or `process`, which has no isolation.', example: 'docker' })
  readonly runner: string | null;

  @ApiProperty({ example: 'horarium-classifier:1' })
  readonly image: string;

  @ApiProperty({ example: 12 })
  readonly total_files: number;

  @ApiProperty({ example: 7 })
  readonly done_files: number;

  @ApiProperty({ description: 'Of those that are done.', example: 1 })
  readonly failed_files: number;

  @ApiProperty({ example: 'alice' })
  readonly created_by: string;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty(TIME)
  readonly started_at: string | null;

  @ApiProperty({ ...TIME, example: null })
  readonly finished_at: string | null;

  @ApiProperty({ ...TIME, example: null })
  readonly cancel_requested_at: string | null;

  constructor(run: ClassificationRun) {
    this.id = run.id;
    this.project_id = run.projectId;
    this.status = run.status;
    this.reason = run.reason;
    this.detail = run.detail;
    this.runner = run.runner;
    this.image = run.image;
    this.total_files = run.totalFiles;
    this.done_files = run.doneFiles;
    this.failed_files = run.failedFiles;
    this.created_by = run.createdBy;
    this.created_at = wireTime(run.createdAt);
    this.started_at = wireTimeOrNull(run.startedAt);
    this.finished_at = wireTimeOrNull(run.finishedAt);
    this.cancel_requested_at = wireTimeOrNull(run.cancelRequestedAt);
  }
}

export class ClassifiedFileResponse {
  @ApiProperty({ example: 'evidence-019870c2f3a47c1e8a5b0d6f2e4c9b72' })
  readonly evidence_id: string;

  @ApiProperty({ example: 'Access policy.pdf' })
  readonly name: string;

  @ApiProperty({ enum: ['pending', 'done', 'failed'], example: 'done' })
  readonly state: string;

  @ApiProperty({ ...TEXT, description: 'The suggestion; null: none.', example: 'AC' })
  readonly control_family: string | null;

  @ApiProperty({ type: Number, nullable: true, description: 'From 0 to 1.', example: 0.82 })
  readonly confidence: number | null;

  @ApiProperty({ type: [String], description: 'What spoke for it.', example: ['access', 'account', 'privilege'] })
  readonly words: readonly string[];

  @ApiProperty({ ...TEXT, description: 'Why it could not be read.', example: null })
  readonly error: string | null;

  @ApiProperty({ enum: DECISIONS, nullable: true, example: null })
  readonly review_decision: Decision | null;

  @ApiProperty({ ...TEXT, example: null })
  readonly reviewed_family: string | null;

  @ApiProperty({ ...TEXT, example: null })
  readonly reviewed_by: string | null;

  @ApiProperty({ ...TIME, example: null })
  readonly reviewed_at: string | null;

  constructor(file: ClassifiedFile) {
    this.evidence_id = file.evidenceId;
    this.name = file.name;
    this.state = file.state;
    this.control_family = file.controlFamily;
    this.confidence = file.confidence === null ? null : Math.round(file.confidence * 1_000) / 1_000;
    this.words = file.words;
    this.error = file.error;
    this.review_decision = file.reviewDecision;
    this.reviewed_family = file.reviewedFamily;
    this.reviewed_by = file.reviewedBy;
    this.reviewed_at = wireTimeOrNull(file.reviewedAt);
  }
}

export class ClassificationRunDetailResponse extends ClassificationRunResponse {
  @ApiProperty({ type: [ClassifiedFileResponse] })
  readonly files: readonly ClassifiedFileResponse[];

  constructor(run: ClassificationRun, files: readonly ClassifiedFile[]) {
    super(run);
    this.files = files.map((file) => new ClassifiedFileResponse(file));
  }
}
