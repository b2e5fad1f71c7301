import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { toWire, type WireSpec } from '../domain/schedule-spec';
import type { ScheduledTask } from '../domain/task';

/** What may leave the house of a task. No owner, lease or version. */
export class TaskResponse {
  @ApiProperty({ example: 'task-0192f0c4a5b67d8e9f00112233445566' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Set exactly for reuse_thread.' })
  readonly thread_id: string | null;

  @ApiProperty({ enum: ['fresh_thread_per_run', 'reuse_thread'] })
  readonly context_mode: string;

  @ApiProperty({ example: 'Morning news' })
  readonly title: string;

  @ApiProperty()
  readonly prompt: string;

  @ApiProperty({ enum: ['cron', 'once'] })
  readonly schedule_type: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { cron: '0 9 * * 1-5' } })
  readonly schedule_spec: WireSpec;

  @ApiProperty({ example: 'Europe/Berlin' })
  readonly timezone: string;

  @ApiProperty({
    enum: ['enabled', 'paused', 'running', 'completed', 'failed', 'cancelled'],
    description: '`running`: being started, or, for a once task, under way.',
  })
  readonly status: string;

  @ApiProperty({ type: String, nullable: true, example: '2027-03-01T08:00:00+00:00' })
  readonly next_run_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_run_at: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The agent run of the newest launch.' })
  readonly last_run_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_thread_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty()
  readonly run_count: number;

  @ApiProperty()
  readonly created_at: string;

  @ApiProperty()
  readonly updated_at: string;

  @ApiProperty({ example: 'default' })
  readonly assistant_id: string;

  @ApiProperty({ type: String, nullable: true })
  readonly working_folder: string | null;

  @ApiProperty({ enum: ['skip', 'queue'] })
  readonly overlap_policy: string;

  @ApiProperty({ type: Number, nullable: true })
  readonly misfire_grace_seconds: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'null: the usual limit.' })
  readonly queue_timeout_seconds: number | null;

  @ApiProperty({ description: 'false: it fires once, and is deleted when that run was delivered.' })
  readonly recurring: boolean;

  @ApiProperty({ description: 'false: it ends with its session.' })
  readonly durable: boolean;

  @ApiProperty({ type: String, nullable: true })
  readonly session_id: string | null;

  @ApiProperty({
    description: 'Occurrences that came due and have no row of their own: collapsed, or moved away by an edit.',
  })
  readonly missed_occurrences: number;

  constructor(task: ScheduledTask) {
    this.id = task.id;
    this.thread_id = task.threadId;
    this.context_mode = task.contextMode;
    this.title = task.title;
    this.prompt = task.prompt;
    this.schedule_type = task.scheduleType;
    this.schedule_spec = toWire(task.spec);
    this.timezone = task.spec.zone.name;
    this.status = task.status;
    this.next_run_at = wireTimeOrNull(task.nextRunAt);
    this.last_run_at = wireTimeOrNull(task.lastRunAt);
    this.last_run_id = task.lastRunId;
    this.last_thread_id = task.lastThreadId;
    this.last_error = task.lastError;
    this.run_count = task.runCount;
    this.created_at = wireTime(task.createdAt);
    this.updated_at = wireTime(task.updatedAt);
    this.assistant_id = task.assistantId;
    this.working_folder = task.workingFolder;
    this.overlap_policy = task.overlapPolicy;
    this.misfire_grace_seconds = task.misfireGraceSeconds;
    this.queue_timeout_seconds = task.rule.queueTimeoutSeconds;
    this.recurring = task.rule.recurring;
    this.durable = task.sessionId === null;
    this.session_id = task.sessionId;
    this.missed_occurrences = task.missedOccurrences;
  }
}

/** One task, with what comes next. */
export class TaskDetailResponse extends TaskResponse {
  @ApiProperty({ type: [String], description: 'The next three planned instants; none while it is paused or finished.' })
  readonly next_runs: string[];

  constructor(task: ScheduledTask) {
    super(task);
    this.next_runs = task.upcoming(3).map(wireTime);
  }
}
