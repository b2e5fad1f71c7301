// Inbound. Wire shape of POST /api/agent-runs.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import type { RequestRunInput } from '../usecases/request-run';

export class RequestRunRequest {
  @ApiProperty({ minLength: 1, maxLength: 100_000, example: 'What did we decide yesterday?' })
  @IsString()
  @Length(1, 100_000)
  readonly prompt!: string;

  @ApiPropertyOptional({ default: 'default', description: 'See GET /api/assistants.' })
  @IsOptional()
  @IsString()
  readonly assistant_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'One of your threads. Absent: a new one.' })
  @IsOptional()
  @IsString()
  readonly thread_id?: string | null;

  @ApiPropertyOptional({
    enum: ['reject', 'enqueue'],
    default: 'reject',
    description: 'While another run works on the thread: refuse (409), or wait for it, first come first served.',
  })
  @IsOptional()
  @IsString()
  readonly when_busy?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: 128,
    description: 'Your own name for this run: asked for twice, it is started once.',
  })
  @IsOptional()
  @IsString()
  @Length(1, 128)
  readonly request_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Inside the roots the operator allows.' })
  @IsOptional()
  @IsString()
  readonly working_folder?: string | null;

  toInput(): RequestRunInput {
    return {
      threadId: this.thread_id ?? null,
      assistantId: this.assistant_id ?? 'default',
      prompt: this.prompt,
      whenBusy: this.when_busy ?? 'reject',
      requestId: this.request_id ?? null,
      workingFolder: this.working_folder ?? null,
    };
  }
}
