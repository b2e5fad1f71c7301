import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import type { TaskPatch } from '../domain/task';

/** Everything is optional, and null means "leave it". */
export class UpdateTaskRequest {
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 255 })
  @IsOptional()
  @IsString()
  title?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 100_000 })
  @IsOptional()
  @IsString()
  prompt?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    enum: ['cron', 'once'],
    description: 'Cannot be changed: it is taken for a copy, and to repair a task whose stored type is unreadable.',
  })
  @IsOptional()
  @IsString()
  schedule_type?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: false,
    nullable: true,
    properties: { cron: { type: 'string' }, run_at: { type: 'string' }, delay_seconds: { type: 'number' } },
    example: { cron: '30 8 * * *' },
  })
  @IsOptional()
  @IsObject()
  schedule_spec?: Record<string, unknown> | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'America/New_York' })
  @IsOptional()
  @IsString()
  timezone?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, enum: ['fresh_thread_per_run', 'reuse_thread'] })
  @IsOptional()
  @IsString()
  context_mode?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional()
  @IsString()
  thread_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional()
  @IsString()
  assistant_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'An empty text goes back to the thread’s folder.' })
  @IsOptional()
  @IsString()
  working_folder?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, enum: ['skip', 'queue'] })
  @IsOptional()
  @IsString()
  overlap_policy?: string | null;

  @ApiPropertyOptional({ type: Number, nullable: true, description: '0 takes the limit away.' })
  @IsOptional()
  @IsInt()
  misfire_grace_seconds?: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true, description: '0 goes back to the usual limit.' })
  @IsOptional()
  @IsInt()
  queue_timeout_seconds?: number | null;

  @ApiPropertyOptional({ type: Boolean, nullable: true })
  @IsOptional()
  @IsBoolean()
  recurring?: boolean | null;

  toPatch(): TaskPatch {
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
    };
  }
}
