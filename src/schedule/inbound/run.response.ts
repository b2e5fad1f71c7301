import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { LATE_REASONS } from '../domain/late-reason';
import type { ScheduledRun } from '../domain/run';

export class RunResponse {
  @ApiProperty({ example: 'task-run-0192f0c4a5b67d8e9f00112233445566' })
  readonly id: string;

  @ApiProperty()
  readonly task_id: string;

  @ApiProperty()
  readonly thread_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The agent run: see GET /api/agent-runs/{id}.' })
  readonly run_id: string | null;

  @ApiProperty({
    description: 'The planned instant, never the moment of dispatch.',
    example: '2027-03-01T08:00:00+00:00',
  })
  readonly scheduled_for: string;

  @ApiProperty({ enum: ['scheduled', 'manual'] })
  readonly trigger: string;

  @ApiProperty({ enum: ['waiting', 'queued', 'running', 'success', 'failed', 'interrupted', 'skipped'] })
  readonly status: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it did not succeed, for programs.',
    example: 'overlap',
  })
  readonly reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it did not succeed, for people.' })
  readonly error: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Milliseconds from scheduled_for to started_at.',
    example: 12,
  })
  readonly lateness_ms: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: LATE_REASONS,
    description:
      'Why it started late. nobody_looking: Horarium was stopped, or its machine asleep. budget_full: every place was taken.',
  })
  readonly late_reason: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly started_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly finished_at: string | null;

  @ApiProperty()
  readonly created_at: string;

  constructor(run: ScheduledRun) {
    this.id = run.id;
    this.task_id = run.taskId;
    this.thread_id = run.threadId;
    this.run_id = run.agentRunId;
    this.scheduled_for = wireTime(run.scheduledFor);
    this.trigger = run.trigger;
    this.status = run.status;
    this.reason = run.reason;
    this.error = run.error;
    this.lateness_ms = run.latenessMs;
    this.late_reason = run.lateReason;
    this.started_at = wireTimeOrNull(run.startedAt);
    this.finished_at = wireTimeOrNull(run.finishedAt);
    this.created_at = wireTime(run.createdAt);
  }
}

export class TriggeredResponse {
  @ApiProperty({ description: 'The task.' })
  readonly id!: string;

  @ApiProperty({ example: true })
  readonly triggered!: true;

  @ApiProperty({ description: 'The run that was started: see GET /api/scheduled-task-runs/{id}.' })
  readonly task_run_id!: string;
}

export class DeletedResponse {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ example: true })
  readonly deleted!: true;
}
