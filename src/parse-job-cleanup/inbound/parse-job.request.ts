// Inbound. Wire shapes of what is asked about parse jobs.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { PageQuery } from '../../platform/protocol/page-query';
import { QueryNumber } from '../../platform/protocol/query-number';
import { PARSE_JOB_STATUSES, type ParseJobStatus } from '../domain/parse-job';
import type { SweepOrder } from '../usecases/sweep-parse-jobs';

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

export class ListParseJobsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: PARSE_JOB_STATUSES })
  @IsOptional()
  @IsIn(PARSE_JOB_STATUSES)
  status?: ParseJobStatus;
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
