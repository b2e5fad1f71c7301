import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsCursor, LimitQuery, NEXT_CURSOR } from '../../platform/protocol/page-query';
import { JOB_STATUSES, JOB_TYPES, type Job, type JobStatus } from '../domain/job';
import type { JobFilter, JobPage } from '../domain/listing';

export class ListJobsQuery extends LimitQuery {
  @ApiPropertyOptional({ enum: JOB_STATUSES })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  @ApiPropertyOptional({ enum: JOB_TYPES })
  @IsOptional()
  @IsIn(JOB_TYPES)
  job_type?: string;

  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsCursor((text) => /^\d{1,18}$/.test(text))
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
