// Inbound. What clients of /socket/fill-survey send, and how answers and locks are said to them.
import {
  Allow,
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { OP_ID } from './write-answer.request';

export class SurveyRequest {
  @IsString()
  @MaxLength(80)
  readonly survey_id!: string;
}

export class JoinRequest extends SurveyRequest {
  /** The `rev` up to which the client knows the answers. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly since?: number;
}

export class FieldOfSurveyRequest extends SurveyRequest {
  @IsString()
  @MaxLength(64)
  readonly field_key!: string;
}

export class HeldFieldRequest extends FieldOfSurveyRequest {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly fence!: number;
}

export class EditRequest extends HeldFieldRequest {
  @Allow()
  readonly draft?: unknown;
}

export class UpdateRequest extends HeldFieldRequest {
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  readonly base_version!: number | null;

  @ValidateIf((_, value) => value !== null)
  @IsDefined()
  readonly value!: unknown;

  @Matches(OP_ID, { message: 'op_id must be 1 to 100 letters, digits, "_", ".", ":" or "-"' })
  readonly op_id!: string;
}
