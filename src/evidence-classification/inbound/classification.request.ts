// Inbound. Wire shapes of what is asked about classification.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { PageQuery } from '../../platform/protocol/page-query';
import { type Decision, DECISIONS } from '../domain/classification-run';

export class ClassificationRequestBody {
  @ApiPropertyOptional({
    type: [String],
    description: 'Evidence of the project; absent: all that is unclassified.',
    example: ['evidence-019870c2f3a47c1e8a5b0d6f2e4c9b72'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsString({ each: true })
  evidence_ids?: string[];

  @ApiPropertyOptional({ type: String, description: 'One of those that the operator allows; absent: the first.' })
  @IsOptional()
  @IsString()
  @MaxLength(300)
  image?: string;
}

export class ListRunsQuery extends PageQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(80)
  project_id?: string;
}

export class ReviewRequest {
  @ApiProperty({ enum: DECISIONS, example: 'accepted' })
  @IsIn(DECISIONS)
  decision!: Decision;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'The right one, to correct.', example: 'AU' })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  control_family?: string | null;
}
