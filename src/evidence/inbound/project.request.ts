// Inbound. Wire shapes of what is asked about projects and their tasks; what a name may be is decided in the domain.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { ProjectFilter } from '../domain/listing';
import type { ProjectTaskInput } from '../usecases/edit-project-tasks';
import { PageQuery } from '../../platform/protocol/page-query';

const FAMILY = {
  type: String,
  nullable: true,
  description: 'The control family it belongs to; evidence that is classified as this family goes here.',
  example: 'AC',
} as const;

export class ProjectRequest {
  @ApiProperty({ minLength: 1, maxLength: 200, example: 'CMMC level 2, 2027' })
  @IsString()
  name!: string;
}

export class ListProjectsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false', description: 'Those that are archived.' })
  @IsOptional()
  @IsIn(['true', 'false'])
  archived?: string;

  toFilter(): ProjectFilter {
    return { archived: this.archived === 'true' };
  }
}

export class CreateProjectTaskRequest {
  @ApiProperty({ minLength: 1, maxLength: 200, example: 'Limit access to authorised users' })
  @IsString()
  name!: string;

  @ApiPropertyOptional(FAMILY)
  @IsOptional()
  @IsString()
  control_family?: string | null;

  toInput(): ProjectTaskInput {
    return { name: this.name, controlFamily: this.control_family };
  }
}

export class UpdateProjectTaskRequest {
  @ApiPropertyOptional({ minLength: 1, maxLength: 200, example: 'Limit access to authorised people' })
  @IsOptional()
  @IsString()
  name?: string;

  @ApiPropertyOptional(FAMILY)
  @IsOptional()
  @IsString()
  control_family?: string | null;

  toInput(): Partial<ProjectTaskInput> {
    return { name: this.name ?? undefined, controlFamily: this.control_family };
  }
}
