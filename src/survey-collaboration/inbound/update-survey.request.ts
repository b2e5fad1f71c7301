// Inbound. Wire shape of PATCH /api/1.0/surveys/{id}. What is absent stays; a null description takes it away.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { MOST_FIELDS } from '../domain/field';
import { type Audience, AUDIENCES, MOST_MEMBERS, SURVEY_STATUSES, type SurveyStatus } from '../domain/survey';
import type { SurveyPatch } from '../usecases/change-survey';
import { FieldRequest } from './field.request';

/** Absent, which null is not. */
const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

export class UpdateSurveyRequest {
  @ApiPropertyOptional({ example: 'Launch questions', minLength: 1, maxLength: 255 })
  @IfPresent()
  @IsString()
  readonly title?: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 4000 })
  @IsOptional()
  @IsString()
  readonly description?: string | null;

  @ApiPropertyOptional({
    type: [FieldRequest],
    maxItems: MOST_FIELDS,
    description: 'All of them. A field that was ever answered stays, and keeps its type.',
  })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MOST_FIELDS)
  @ValidateNested({ each: true })
  @Type(() => FieldRequest)
  readonly fields?: FieldRequest[];

  @ApiPropertyOptional({ enum: AUDIENCES })
  @IfPresent()
  @IsIn(AUDIENCES)
  readonly audience?: Audience;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MOST_MEMBERS,
    description: 'All of them. Who is left out is out at once, also where they are connected.',
  })
  @IfPresent()
  @IsArray()
  @IsString({ each: true })
  readonly members?: string[];

  @ApiPropertyOptional({ enum: SURVEY_STATUSES, description: '`closed`: its answers can only be read.' })
  @IfPresent()
  @IsIn(SURVEY_STATUSES)
  readonly status?: SurveyStatus;

  toPatch(): SurveyPatch {
    const { title, description, fields, audience, members, status } = this;
    return { title, description, fields: fields?.map((field) => field.toInput()), audience, members, status };
  }
}
