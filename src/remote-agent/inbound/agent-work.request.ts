// Inbound. What agents send about runs, on their own port.
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
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
import { LONGEST_WAIT_SECONDS } from '../../agent-run';
import { WORK_REASONS, WORK_STATUSES, type WorkEnd, type WorkStatus } from '../domain/work';

const MOST_TOKENS = 1e12;
const RUN_TOKEN = { message: 'run_token is the one that came with the run' };

export class FetchWorkRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  readonly assistants!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(LONGEST_WAIT_SECONDS)
  readonly wait_seconds?: number;
}

export class WorkTokenRequest {
  @Matches(/^[A-Za-z0-9_-]{1,200}$/, RUN_TOKEN)
  readonly run_token!: string;
}

export class WorkUsageRequest {
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly input_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly output_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_TOKENS)
  readonly total_tokens?: number | null;

  @IsOptional()
  @IsNumber({ allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1e9)
  readonly cost_usd?: number | null;
}

/** How long each text may be is bounded by the body as a whole. */
export class CompleteWorkRequest extends WorkTokenRequest {
  /** Absent: `error` when there is one, else `success`. */
  @IsOptional()
  @IsIn(WORK_STATUSES)
  readonly status?: WorkStatus;

  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  readonly error?: string | null;

  @IsOptional()
  @IsIn(WORK_REASONS)
  readonly reason?: (typeof WORK_REASONS)[number] | null;

  @IsOptional()
  @IsString()
  @Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, {
    message: 'retry_at must be a moment such as 2026-08-01T09:00:00Z',
  })
  readonly retry_at?: string | null;

  @IsOptional()
  @IsInt()
  @Min(-2_147_483_648)
  @Max(2_147_483_647)
  readonly exit_code?: number | null;

  @IsOptional()
  @IsString()
  readonly output?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly output_dropped_bytes?: number;

  @IsOptional()
  @IsString()
  readonly error_output?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly error_output_dropped_bytes?: number;

  @IsOptional()
  @IsString()
  readonly result?: string | null;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => WorkUsageRequest)
  readonly usage?: WorkUsageRequest | null;

  @IsOptional()
  @IsString()
  @MaxLength(512)
  readonly agent_session?: string | null;

  toEnd(): WorkEnd {
    const error = this.error?.trim() || null;
    const status = this.status ?? (error === null ? 'success' : 'error');
    const retryAt = this.retry_at == null ? null : new Date(this.retry_at);
    const failed = status === 'error';
    return {
      status,
      error: status === 'success' ? null : (error ?? 'The agent says that it failed.'),
      reason: failed ? (this.reason ?? null) : null,
      retryAt: failed && retryAt !== null && !Number.isNaN(retryAt.getTime()) ? retryAt : null,
      exitCode: this.exit_code ?? null,
      output: { text: this.output ?? '', droppedBytes: this.output_dropped_bytes ?? 0 },
      errorOutput: { text: this.error_output ?? '', droppedBytes: this.error_output_dropped_bytes ?? 0 },
      result: this.result ?? null,
      usage: this.usage == null ? null : usageOf(this.usage),
      agentSession: this.agent_session ?? null,
    };
  }
}

function usageOf(used: WorkUsageRequest): WorkEnd['usage'] {
  const inputTokens = used.input_tokens ?? null;
  const outputTokens = used.output_tokens ?? null;
  const parts = inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  const usage = { inputTokens, outputTokens, totalTokens: used.total_tokens ?? parts, costUsd: used.cost_usd ?? null };
  return usage.totalTokens === null && usage.costUsd === null ? null : usage;
}
