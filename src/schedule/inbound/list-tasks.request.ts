import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { SCHEDULE_TYPES, type ScheduleType } from '../domain/schedule-spec';
import { TASK_STATUSES, type TaskStatus } from '../domain/status';
import type { TaskFilter } from '../domain/listing';
import { PageOrOffsetQuery } from './page.request';

export class ListTasksQuery extends PageOrOffsetQuery {
  @ApiPropertyOptional({ enum: TASK_STATUSES })
  @IsOptional()
  @IsIn(TASK_STATUSES)
  status?: TaskStatus;

  @ApiPropertyOptional({ enum: SCHEDULE_TYPES })
  @IsOptional()
  @IsIn(SCHEDULE_TYPES)
  schedule_type?: ScheduleType;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(128)
  assistant_id?: string;

  @ApiPropertyOptional({ description: 'Found in title or prompt, without regard to case.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  toFilter(): TaskFilter {
    return {
      status: this.status,
      scheduleType: this.schedule_type,
      assistantId: this.assistant_id,
      text: this.q === '' ? undefined : this.q,
    };
  }
}
