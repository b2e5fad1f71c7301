// Inbound. What of a survey may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { Field } from '../domain/field';
import type { Survey } from '../domain/survey';
import type { SurveyDetail } from '../usecases/read-surveys';
import { AnswerResponse, LockResponse, MOMENT } from './answer.response';

export class FieldResponse {
  @ApiProperty({ example: 'launch_day' })
  readonly key: string;

  @ApiProperty({ example: 'When do we launch?' })
  readonly label: string;

  @ApiProperty({ enum: ['text', 'number', 'choice', 'date', 'file'], example: 'date' })
  readonly type: string;

  @ApiProperty({ type: String, nullable: true })
  readonly help: string | null;

  @ApiProperty({ example: true })
  readonly required: boolean;

  @ApiProperty({ type: Number, nullable: true, description: 'Of a text.' })
  readonly max_length: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Of a number.' })
  readonly min: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Of a number.' })
  readonly max: number | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Of a choice.' })
  readonly options: readonly string[] | null;

  constructor(field: Field) {
    this.key = field.key;
    this.label = field.label;
    this.type = field.type;
    this.help = field.help;
    this.required = field.required;
    this.max_length = field.type === 'text' ? field.maxLength : null;
    this.min = field.type === 'number' ? field.min : null;
    this.max = field.type === 'number' ? field.max : null;
    this.options = field.type === 'choice' ? field.options : null;
  }
}

export class SurveyResponse {
  @ApiProperty({ example: 'survey-0192f0c4a5b67d8e9f00112233445566' })
  readonly id: string;

  @ApiProperty({ example: 'Launch questions' })
  readonly title: string;

  @ApiProperty({ type: String, nullable: true })
  readonly description: string | null;

  @ApiProperty({ type: [FieldResponse] })
  readonly fields: FieldResponse[];

  @ApiProperty({ enum: ['members', 'tenant'] })
  readonly audience: string;

  @ApiProperty({ type: [String], example: ['bob'] })
  readonly members: readonly string[];

  @ApiProperty({ example: 'alice', description: 'The user id of who drew it up.' })
  readonly owner: string;

  @ApiProperty({ enum: ['open', 'closed'] })
  readonly status: string;

  @ApiProperty({ example: 17, description: 'Grows with each change of the survey or of an answer.' })
  readonly rev: number;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ example: MOMENT, description: 'Of the survey itself, not of its answers.' })
  readonly updated_at: string;

  constructor(survey: Survey) {
    this.id = survey.id;
    this.title = survey.title;
    this.description = survey.description;
    this.fields = survey.fields.map((field) => new FieldResponse(field));
    this.audience = survey.audience;
    this.members = survey.members;
    this.owner = survey.owner.userId;
    this.status = survey.status;
    this.rev = survey.rev;
    this.created_at = wireTime(survey.createdAt);
    this.updated_at = wireTime(survey.updatedAt);
  }
}

/** One survey, with what was answered and who is at which field. */
export class SurveyDetailResponse extends SurveyResponse {
  @ApiProperty({ type: [AnswerResponse], description: 'Of fields that have been answered, in the order of writing.' })
  readonly answers: AnswerResponse[];

  @ApiProperty({ type: [LockResponse] })
  readonly locks: LockResponse[];

  @ApiProperty({ type: [String], example: ['launch_day'], description: 'Required fields without an answer.' })
  readonly missing: readonly string[];

  constructor({ survey, answers, locks, missing }: SurveyDetail) {
    super(survey);
    this.answers = answers.map((answer) => new AnswerResponse(answer));
    this.locks = locks.map((lock) => new LockResponse(lock));
    this.missing = missing;
  }
}

export class SurveyExportResponse extends SurveyDetailResponse {
  @ApiProperty({ example: MOMENT })
  readonly exported_at: string;

  constructor(detail: SurveyDetail, now: Date) {
    super(detail);
    this.exported_at = wireTime(now);
  }
}

export class SurveyDeletedResponse {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ example: true })
  readonly deleted!: boolean;
}
