// Inbound. Wire shape of POST /api/agent-runs/{id}/complete. The same words as a program's last line (domain/told-result.ts),
// and some that well-known agents use in their place.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Type } from 'class-transformer';
import { bareEnd, type RunEnd } from '../domain/run-end';
import { toldBy } from '../domain/told-result';

const MOST_CHARACTERS = 1024 * 1024;
const MOST_TOKENS = 1e12;

export class UsageRequest {
  @ApiPropertyOptional({ type: 'integer', minimum: 0, example: 1200 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly input_tokens?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, example: 300 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly output_tokens?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, example: 1500 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly total_tokens?: number | null;

  @ApiPropertyOptional({ minimum: 0, example: 0.012 })
  @IsOptional()
  @IsNumber({ allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1e9)
  readonly cost_usd?: number | null;
}

export class CompleteRunRequest {
  @ApiPropertyOptional({ type: String, nullable: true, example: 'All tests pass.', description: 'The answer.' })
  @IsOptional()
  @IsString()
  @MaxLength(MOST_CHARACTERS)
  readonly result?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: 'Why it failed; absent: it has not.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  readonly error?: string | null;

  @ApiPropertyOptional({ type: UsageRequest, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => UsageRequest)
  readonly usage?: UsageRequest | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 512,
    description: 'What the next run on the thread is told as `agent_session`.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  readonly agent_session?: string | null;

  @ApiPropertyOptional({ default: false, description: 'It failed because its provider wants it to slow down.' })
  @IsOptional()
  @IsBoolean()
  readonly rate_limited?: boolean;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'With `rate_limited`: when to try again.',
  })
  @IsOptional()
  @IsString()
  @Matches(/^\d{4}-\d{2}-\d{2}T/, { message: 'retry_at must be a moment such as 2026-08-01T09:00:00Z' })
  readonly retry_at?: string | null;

  @ApiPropertyOptional({ default: false, description: 'It failed because it needs an answer of a person.' })
  @IsOptional()
  @IsBoolean()
  readonly input_needed?: boolean;

  @ApiProperty({ required: false, type: String, description: 'What it did on the way, for whoever reads the run.' })
  @IsOptional()
  @IsString()
  @MaxLength(MOST_CHARACTERS)
  readonly log?: string | null;

  toEnd(now: Date): RunEnd {
    const told = toldBy({ ...this, result: this.result ?? '' }, now);
    const errorOutput = { text: (this.log ?? '').replaceAll('\0', '\uFFFD'), droppedBytes: 0 };
    if (told === null || told.error === null) return bareEnd('success', null, { ...told, errorOutput });
    return bareEnd('error', told.error, { ...told, errorOutput });
  }
}
