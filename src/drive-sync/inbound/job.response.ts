import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { JOB_STATUSES, JOB_TYPES, type Job, type JobPayload } from '../domain/job';
import type { JobCounts } from '../domain/listing';

export class JobResponse {
  @ApiProperty({ example: '0192f0c4-a5b6-4d8e-9f00-112233445566' })
  readonly uid: string;

  @ApiProperty({ enum: JOB_TYPES, description: 'A server of a newer version may have queued others.' })
  readonly job_type: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly payload: JobPayload;

  @ApiProperty({ enum: JOB_STATUSES })
  readonly status: string;

  @ApiProperty({ description: 'Higher goes first.' })
  readonly priority: number;

  @ApiProperty()
  readonly retry_count: number;

  @ApiProperty()
  readonly max_retries: number;

  @ApiProperty({ description: 'Not before.' })
  readonly next_run_at: string;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly started_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly finished_at: string | null;

  @ApiProperty()
  readonly created_at: string;

  constructor(job: Job) {
    this.uid = job.uid;
    this.job_type = job.type;
    this.payload = job.payload;
    this.status = job.status;
    this.priority = job.priority;
    this.retry_count = job.retryCount;
    this.max_retries = job.maxRetries;
    this.next_run_at = wireTime(job.nextRunAt);
    this.last_error = job.lastError;
    this.started_at = wireTimeOrNull(job.startedAt);
    this.finished_at = wireTimeOrNull(job.finishedAt);
    this.created_at = wireTime(job.createdAt);
  }
}

export class JobCountsResponse {
  @ApiProperty()
  readonly pending: number;

  @ApiProperty()
  readonly in_progress: number;

  @ApiProperty()
  readonly success: number;

  @ApiProperty()
  readonly failed: number;

  @ApiProperty()
  readonly skipped: number;

  constructor(counts: JobCounts) {
    this.pending = counts.PENDING;
    this.in_progress = counts.IN_PROGRESS;
    this.success = counts.SUCCESS;
    this.failed = counts.FAILED;
    this.skipped = counts.SKIPPED;
  }
}
