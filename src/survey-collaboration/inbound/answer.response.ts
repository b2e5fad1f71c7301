// Inbound. What of answers, their history and their locks may leave the house; the same over HTTP and on the socket.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { Answer, AnswerValue, AnswerVersion } from '../domain/answer';
import type { FieldLock, LockHolder } from '../domain/lock';

export const MOMENT = '2027-03-01T09:00:00+00:00';

const VALUE = {
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'object', properties: { file_id: { type: 'string' }, name: { type: 'string' } } },
  ],
  example: '2027-03-31',
};

export class AnswerResponse {
  @ApiProperty({ example: 'launch_day' })
  readonly field_key: string;

  @ApiProperty({ ...VALUE, description: 'null: taken back.' })
  readonly value: AnswerValue | null;

  @ApiProperty({ example: 3, description: 'The `base_version` of the next change.' })
  readonly version: number;

  @ApiProperty({ example: 'bob' })
  readonly updated_by: string;

  @ApiProperty({ example: MOMENT })
  readonly updated_at: string;

  @ApiProperty({ example: 17, description: 'The survey’s `rev` at this change.' })
  readonly rev: number;

  constructor(answer: Answer) {
    this.field_key = answer.fieldKey;
    this.value = answer.value;
    this.version = answer.version;
    this.updated_by = answer.userId;
    this.updated_at = wireTime(answer.updatedAt);
    this.rev = answer.rev;
  }
}

export class AnswerVersionResponse extends AnswerResponse {
  @ApiProperty({ ...VALUE, description: 'What was there before.' })
  readonly old_value: AnswerValue | null;

  @ApiProperty({ example: false, description: 'Written without regard to what was there.' })
  readonly overwrote: boolean;

  constructor(version: AnswerVersion) {
    super(version);
    this.old_value = version.oldValue;
    this.overwrote = version.overwrote;
  }
}

export class LockResponse {
  @ApiProperty({ example: 'launch_day' })
  readonly field_key: string;

  @ApiProperty({ example: 'bob' })
  readonly user: string;

  @ApiProperty({ example: '7c1e8a5b-0d6f-4e4c-9b71-019870c2f3a4', description: 'One page of that person.' })
  readonly session: string;

  @ApiProperty({ example: MOMENT })
  readonly expires_at: string;

  constructor({ fieldKey, holder, expiresAt }: FieldLock) {
    this.field_key = fieldKey;
    this.user = holder.userId;
    this.session = holder.session;
    this.expires_at = wireTime(expiresAt);
  }
}

export class UnlockedResponse {
  @ApiProperty()
  readonly survey_id: string;

  @ApiProperty()
  readonly field_key: string;

  @ApiProperty({ example: true, description: 'false: nobody held it.' })
  readonly unlocked: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'bob', description: 'Who held it.' })
  readonly user: string | null;

  constructor(surveyId: string, fieldKey: string, holder: LockHolder | null) {
    this.survey_id = surveyId;
    this.field_key = fieldKey;
    this.unlocked = holder !== null;
    this.user = holder?.userId ?? null;
  }
}
