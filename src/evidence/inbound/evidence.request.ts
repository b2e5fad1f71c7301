// Inbound. Wire shapes of what is asked about evidence. The upload itself is a form: see evidence.controller.ts.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { EVIDENCE_SOURCES, EVIDENCE_STATUSES, type EvidenceSource, type EvidenceStatus } from '../domain/evidence';
import type { EvidenceFilter } from '../domain/listing';
import type { EvidenceChange } from '../usecases/update-evidence';
import { PageQuery } from '../../platform/protocol/page-query';

export class UploadEvidenceForm {
  @ApiPropertyOptional({ type: String, description: 'A task of the project.' })
  task_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Instead of the name that the file has.', example: 'policy.pdf' })
  name?: string;

  @ApiProperty({ type: String, format: 'binary', description: 'Behind the other fields.' })
  file!: string;
}

export class ReplaceContentForm {
  @ApiProperty({ type: String, format: 'binary', example: 'bytes' })
  file!: string;
}

export class UpdateEvidenceRequest {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 1_000, example: 'Access policy 2027.pdf' })
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  name?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'A task of the same project; null for none.' })
  @IsOptional()
  @IsString()
  task_id?: string | null;

  toChange(): EvidenceChange {
    return { name: this.name ?? undefined, taskId: this.task_id };
  }
}

export class ListEvidenceQuery extends PageQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(80)
  project_id?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(80)
  task_id?: string;

  @ApiPropertyOptional({ enum: EVIDENCE_STATUSES })
  @IsOptional()
  @IsIn(EVIDENCE_STATUSES)
  status?: EvidenceStatus;

  @ApiPropertyOptional({ enum: EVIDENCE_SOURCES })
  @IsOptional()
  @IsIn(EVIDENCE_SOURCES)
  source?: EvidenceSource;

  @ApiPropertyOptional({ example: 'AC' })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  control_family?: string;

  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false', description: 'Those that are deleted.' })
  @IsOptional()
  @IsIn(['true', 'false'])
  deleted?: string;

  toFilter(): EvidenceFilter {
    const { project_id: projectId, task_id: taskId, status, source, control_family: controlFamily } = this;
    return { projectId, taskId, status, source, controlFamily, deleted: this.deleted === 'true' };
  }
}
