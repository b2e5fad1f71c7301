// Inbound. Wire shape of POST /api/1.0/surveys.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { MOST_FIELDS } from '../domain/field';
import { type Audience, AUDIENCES, MOST_MEMBERS } from '../domain/survey';
import type { SurveyInput } from '../usecases/create-survey';
import { FieldRequest } from './field.request';

export class CreateSurveyRequest {
  @ApiProperty({ example: 'Launch questions', minLength: 1, maxLength: 255 })
  @IsString()
  readonly title!: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 4000 })
  @IsOptional()
  @IsString()
  readonly description?: string | null;

  @ApiProperty({ type: [FieldRequest], minItems: 1, maxItems: MOST_FIELDS })
  @IsArray()
  @ArrayMaxSize(MOST_FIELDS)
  @ValidateNested({ each: true })
  @Type(() => FieldRequest)
  readonly fields!: FieldRequest[];

  @ApiPropertyOptional({
    enum: AUDIENCES,
    default: 'members',
    description: 'Who may fill it: its members, or everyone of the tenant.',
  })
  @IsOptional()
  @IsIn(AUDIENCES)
  readonly audience?: Audience;

  @ApiPropertyOptional({ type: [String], maxItems: MOST_MEMBERS, example: ['bob'], description: 'User ids.' })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly members?: string[];

  toInput(): SurveyInput {
    return {
      title: this.title,
      description: this.description ?? null,
      fields: this.fields.map((field) => field.toInput()),
      audience: this.audience ?? 'members',
      members: this.members ?? [],
    };
  }
}
