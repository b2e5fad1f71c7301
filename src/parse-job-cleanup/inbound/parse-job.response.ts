// Inbound. What of a parse job and its controls may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import {
  DOCUMENT_FORMATS,
  type DocumentFormat,
  PARSE_JOB_STATUSES,
  type ParseJob,
  type ParseJobStatus,
  type StoredControl,
} from '../domain/parse-job';
import type { Sweep } from '../usecases/sweep-parse-jobs';

const MOMENT = '2026-08-01T09:00:00+00:00';
const TIME = { type: String, format: 'date-time', nullable: true, example: MOMENT } as const;
const TEXT = { type: String, nullable: true } as const;

export class ParseJobResponse {
  @ApiProperty({ example: 'parse-job-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly id: string;

  @ApiProperty({ example: 'NIST_SP-800-171_catalog.json' })
  readonly name: string;

  @ApiProperty({ enum: DOCUMENT_FORMATS, example: 'oscal' })
  readonly format: DocumentFormat;

  @ApiProperty({ enum: PARSE_JOB_STATUSES, example: 'awaiting_review' })
  readonly status: ParseJobStatus;

  @ApiProperty({ example: 482_113 })
  readonly document_bytes: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null until they are counted.', example: 110 })
  readonly total_controls: number | null;

  @ApiProperty({ example: 110 })
  readonly done_controls: number;

  @ApiProperty({ ...TEXT, description: 'Why it failed.', example: null })
  readonly error: string | null;

  @ApiProperty({ example: 'alice' })
  readonly created_by: string;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty(TIME)
  readonly started_at: string | null;

  @ApiProperty(TIME)
  readonly finished_at: string | null;

  @ApiProperty({ ...TEXT, example: null })
  readonly reviewed_by: string | null;

  @ApiProperty({ ...TIME, example: null })
  readonly reviewed_at: string | null;

  constructor(job: ParseJob) {
    this.id = job.id;
    this.name = job.name;
    this.format = job.format;
    this.status = job.status;
    this.document_bytes = job.documentBytes;
    this.total_controls = job.totalControls;
    this.done_controls = job.doneControls;
    this.error = job.error;
    this.created_by = job.createdBy;
    this.created_at = wireTime(job.createdAt);
    this.started_at = wireTimeOrNull(job.startedAt);
    this.finished_at = wireTimeOrNull(job.finishedAt);
    this.reviewed_by = job.reviewedBy;
    this.reviewed_at = wireTimeOrNull(job.reviewedAt);
  }
}

export class ControlResponse {
  @ApiProperty({ description: 'Its place in the document, from 1.', example: 1 })
  readonly nr: number;

  @ApiProperty({ example: '03.01.01' })
  readonly control_id: string;

  @ApiProperty({ ...TEXT, example: '03.01' })
  readonly family: string | null;

  @ApiProperty({ example: 'Account management' })
  readonly title: string;

  @ApiProperty({ example: 'Define the types of system accounts allowed and prohibited.' })
  readonly statement: string;

  constructor({ nr, controlId, family, title, statement }: StoredControl) {
    this.nr = nr;
    this.control_id = controlId;
    this.family = family;
    this.title = title;
    this.statement = statement;
  }
}

export class SweepResponse {
  @ApiProperty({ example: true })
  readonly dry_run: boolean;

  @ApiProperty({ description: 'Deleted softly, or with dry_run: how many would be.', example: 12 })
  readonly deleted: number;

  @ApiProperty({ description: 'Removed for good.', example: 0 })
  readonly purged: number;

  constructor({ deleted, purged }: Sweep, dryRun: boolean) {
    this.dry_run = dryRun;
    this.deleted = deleted;
    this.purged = purged;
  }
}
