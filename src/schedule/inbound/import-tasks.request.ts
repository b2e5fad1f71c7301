// Inbound. Wire shape of POST /api/scheduled-tasks/import.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString } from 'class-validator';
import type { ImportTasksInput } from '../usecases/import-tasks';

export class ImportTasksRequest {
  @ApiProperty({
    description: 'What stands in the .scheduled_tasks.json: a list of tasks, or an object with `tasks`.',
    oneOf: [
      { type: 'array', items: { type: 'object' } },
      { type: 'object', additionalProperties: true },
    ],
    example: [{ id: 'cron_123456', cron: '0 9 * * *', prompt: 'Check the build.', recurring: true, durable: true }],
  })
  @IsDefined()
  readonly file!: unknown;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Whose wall clock it was written for. Absent: HORARIUM_DEFAULT_TIMEZONE.',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @IsString()
  readonly timezone?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'See GET /api/assistants.' })
  @IsOptional()
  @IsString()
  readonly assistant_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'The conversation that the prompts go into.' })
  @IsOptional()
  @IsString()
  readonly thread_id?: string | null;

  toInput(): ImportTasksInput {
    const { file, timezone, assistant_id: assistantId, thread_id: threadId } = this;
    return { file, timezone: timezone ?? null, assistantId: assistantId ?? null, threadId: threadId ?? null };
  }
}
