import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import type { CreateTaskInput } from '../usecases/create-task';

/** The shape only: what a title, a schedule or a zone may be is decided in the domain. */
export class CreateTaskRequest {
  @ApiProperty({ minLength: 1, maxLength: 255, example: 'Morning news' })
  @IsString()
  title!: string;

  @ApiProperty({ minLength: 1, maxLength: 100_000, example: 'Summarise the news of the last 24 hours in five lines.' })
  @IsString()
  prompt!: string;

  @ApiProperty({ enum: ['cron', 'once'], example: 'cron' })
  @IsString()
  schedule_type!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: false,
    properties: {
      cron: { type: 'string', description: 'For cron: five fields, evaluated in `timezone`.', example: '0 9 * * 1-5' },
      run_at: {
        type: 'string',
        description: 'For once: ISO 8601. Without an offset it is wall-clock time in `timezone`.',
        example: '2027-03-01T09:00:00',
      },
      delay_seconds: { type: 'number', description: 'For once, instead of run_at: seconds from now.', example: 600 },
    },
    example: { cron: '0 9 * * 1-5' },
  })
  @IsObject()
  schedule_spec!: Record<string, unknown>;

  @ApiProperty({ description: 'IANA name of the zone whose wall clock decides.', example: 'Europe/Berlin' })
  @IsString()
  timezone!: string;

  @ApiPropertyOptional({
    enum: ['fresh_thread_per_run', 'reuse_thread'],
    default: 'fresh_thread_per_run',
    description: 'Whether each run starts a conversation of its own, or goes on with `thread_id`.',
  })
  @IsOptional()
  @IsString()
  context_mode?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'For reuse_thread: one of your threads.' })
  @IsOptional()
  @IsString()
  thread_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'See GET /api/assistants.', example: 'default' })
  @IsOptional()
  @IsString()
  assistant_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'A folder to work in, inside the roots the operator allows. Absent: the thread’s own folder.',
  })
  @IsOptional()
  @IsString()
  working_folder?: string | null;

  @ApiPropertyOptional({
    enum: ['skip', 'queue'],
    default: 'skip',
    description:
      'What becomes of an occurrence whose turn comes while the last run is active or the thread is busy. queue: one run ' +
      'of the task waits until both are free; what comes due meanwhile is delivered with it.',
  })
  @IsOptional()
  @IsString()
  overlap_policy?: string | null;

  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    description:
      'An occurrence that is later than this is skipped as `too_late`. Absent or 0: it runs whenever its turn comes.',
  })
  @IsOptional()
  @IsInt()
  misfire_grace_seconds?: number | null;

  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    description: 'For queue: a run that has waited longer has failed. Absent or 0: the usual limit (an hour).',
  })
  @IsOptional()
  @IsInt()
  queue_timeout_seconds?: number | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: true,
    description: 'false: it fires once, at its next instant, and is deleted when that run was delivered.',
  })
  @IsOptional()
  @IsBoolean()
  recurring?: boolean | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: true,
    description: 'false: it lives and dies with `session_id`.',
  })
  @IsOptional()
  @IsBoolean()
  durable?: boolean | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'One of your open sessions: the task ends with it.',
  })
  @IsOptional()
  @IsString()
  session_id?: string | null;

  toInput(): CreateTaskInput {
    return {
      title: this.title,
      prompt: this.prompt,
      scheduleType: this.schedule_type,
      scheduleSpec: this.schedule_spec,
      timezone: this.timezone,
      contextMode: this.context_mode,
      threadId: this.thread_id,
      assistantId: this.assistant_id,
      workingFolder: this.working_folder,
      overlapPolicy: this.overlap_policy,
      misfireGraceSeconds: this.misfire_grace_seconds,
      queueTimeoutSeconds: this.queue_timeout_seconds,
      recurring: this.recurring,
      durable: this.durable,
      sessionId: this.session_id,
    };
  }
}
