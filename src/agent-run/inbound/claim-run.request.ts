// Inbound. Wire shape of POST /api/agent-runs/claim.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { LONGEST_WAIT_SECONDS } from '../usecases/claim-run';

export class ClaimRunRequest {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: 50,
    example: ['reviewer'],
    description: 'Assistants of the driver `pull`: a run of any of them.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  readonly assistant_ids!: string[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_WAIT_SECONDS,
    default: 0,
    description: 'How long to wait for a run when there is none.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(LONGEST_WAIT_SECONDS)
  readonly wait_seconds?: number;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 200,
    example: 'build-box-3',
    description: 'Who has it: for the operator.',
  })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  readonly claimed_by?: string;
}
