import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { JOB_STATUSES, JOB_TYPES, type Job, type JobStatus } from '../domain/job';
import type { JobFilter, JobPage } from '../domain/listing';

/** The header that carries the cursor of the next page, when the page was full. */
export const NEXT_CURSOR = 'X-Next-Cursor';

export class ListJobsQuery {
  @ApiPropertyOptional({ enum: JOB_STATUSES })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  @ApiPropertyOptional({ enum: JOB_TYPES })
  @IsOptional()
  @IsIn(JOB_TYPES)
  job_type?: string;

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
  @Matches(/^\d{1,18}$/, { message: `cursor must be the value of a ${NEXT_CURSOR} header` })
  cursor?: string;

  toFilter(): JobFilter {
    return { status: this.status, type: this.job_type };
  }

  toPage(): JobPage {
    return { limit: this.limit ?? 50, before: this.cursor };
  }
}

/** Of the last job of a full page. */
export function nextCursor(jobs: readonly Job[], { limit }: JobPage): string | undefined {
  return jobs.length < limit ? undefined : jobs.at(-1)?.id;
}
