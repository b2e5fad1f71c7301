// Inbound. Wire shapes of what is asked about parse jobs.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { InvalidParseJobError } from '../domain/errors';
import { type Cursor, PARSE_JOB_STATUSES, type ParseJobStatus } from '../domain/parse-job';
import type { SweepOrder } from '../usecases/sweep-parse-jobs';

export const NEXT_CURSOR = 'X-Next-Cursor';

export class SubmitParseJobForm {
  @ApiPropertyOptional({ type: String, description: 'Instead of the name that the file has.', example: 'NIST 800-171' })
  name?: string;

  @ApiProperty({
    type: String,
    format: 'binary',
    description: 'An OSCAL catalogue (JSON), or a table (CSV) with a column `control_id`. Behind the other fields.',
  })
  file!: string;
}

export class ListParseJobsQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsString()
  cursor?: string;

  @ApiPropertyOptional({ enum: PARSE_JOB_STATUSES })
  @IsOptional()
  @IsIn(PARSE_JOB_STATUSES)
  status?: ParseJobStatus;

  toPage(): { limit: number; after?: Cursor } {
    const limit = this.limit ?? 50;
    return this.cursor === undefined ? { limit } : { limit, after: readCursor(this.cursor) };
  }
}

export class ListControlsQuery {
  @ApiPropertyOptional({ minimum: 1, default: 1, description: 'The number of the first one.' })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  from?: number;

  @ApiPropertyOptional({ minimum: 1, maximum: 500, default: 100 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number;
}

export class SweepRequest {
  @ApiPropertyOptional({ default: false, description: 'Only count.', example: true })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;

  @ApiPropertyOptional({ minimum: 0, description: 'Instead of PARSE_JOB_TTL_DAYS.', example: 604_800 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(315_360_000)
  older_than_seconds?: number;

  toOrder(): SweepOrder {
    return { dryRun: this.dry_run, olderThanSeconds: this.older_than_seconds };
  }
}

/** Of the last item of a full page. */
export function nextCursor(items: readonly Cursor[], limit: number): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

function readCursor(text: string): Cursor {
  const [, time, id] = /^(\d{1,16}) ([\w-]{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) {
    throw new InvalidParseJobError('cursor', `cursor must be the value of a ${NEXT_CURSOR} header.`);
  }
  return { createdAt, id };
}
