import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { DomainError } from '../../kernel/domain-error';
import { InvalidTaskError } from '../domain/errors';
import { parseMoment } from '../domain/moment';
import { RUN_STATUSES, type RunStatus } from '../domain/run-status';
import { TRIGGERS, type Trigger } from '../domain/status';
import { timeZone } from '../domain/time-zone';
import type { RunFilter } from '../domain/listing';
import { PageOrOffsetQuery } from './page.request';

export class ListRunsQuery extends PageOrOffsetQuery {
  @ApiPropertyOptional({ enum: RUN_STATUSES })
  @IsOptional()
  @IsIn(RUN_STATUSES)
  status?: RunStatus;

  @ApiPropertyOptional({ enum: TRIGGERS })
  @IsOptional()
  @IsIn(TRIGGERS)
  trigger?: Trigger;

  @ApiPropertyOptional({ description: 'ISO 8601, UTC unless it has an offset: planned at or after it.' })
  @IsOptional()
  @IsString()
  since?: string;

  @ApiPropertyOptional({ description: 'ISO 8601, UTC unless it has an offset: planned before it.' })
  @IsOptional()
  @IsString()
  until?: string;

  toFilter(): RunFilter {
    return {
      status: this.status,
      trigger: this.trigger,
      since: moment(this.since, 'since'),
      until: moment(this.until, 'until'),
    };
  }
}

export class ListAllRunsQuery extends ListRunsQuery {
  @ApiPropertyOptional({ description: 'Only the runs of this task.' })
  @IsOptional()
  @IsString()
  task_id?: string;

  override toFilter(): RunFilter {
    return { ...super.toFilter(), taskId: this.task_id };
  }
}

function moment(text: string | undefined, field: string): Date | undefined {
  if (text === undefined) return undefined;
  try {
    return parseMoment(text, timeZone('UTC'));
  } catch (error) {
    if (error instanceof DomainError) throw new InvalidTaskError(field, `${field}: ${error.message}`);
    throw error;
  }
}
