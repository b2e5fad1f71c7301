// Inbound. Which notifications to list, and what somebody wants to hear.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import type { Listing } from '../domain/notification';
import type { Preference } from '../domain/preference';
import { PageQuery } from '../../platform/protocol/page-query';

export class ListNotificationsQuery extends PageQuery {
  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Only those that you have not read.' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  unread?: boolean;

  @ApiPropertyOptional({ example: 'run.failed' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  kind?: string;

  toListing(): Listing {
    const { kind } = this;
    return { ...this.toPage(), unreadOnly: this.unread ?? false, ...(kind === undefined ? {} : { kind }) };
  }
}

const given = (_: object, value: unknown): boolean => value !== undefined && value !== null;

export class PreferencesRequest {
  @ApiPropertyOptional({ type: Boolean, nullable: true, description: 'null: as set for all tasks, or by default.' })
  @ValidateIf(given)
  @IsBoolean()
  notify_on_failure?: boolean | null;

  @ApiPropertyOptional({ type: Boolean, nullable: true, example: true })
  @ValidateIf(given)
  @IsBoolean()
  notify_on_success?: boolean | null;

  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 86_400,
    description: 'For so long after one was told, more of its kind are collected into one. 0: never.',
  })
  @ValidateIf(given)
  @IsInt()
  @Min(0)
  @Max(86_400)
  digest_seconds?: number | null;

  toChange(): Partial<Preference> {
    const { notify_on_failure: failure, notify_on_success: success, digest_seconds: seconds } = this;
    return {
      ...(failure === undefined ? {} : { notifyOnFailure: failure }),
      ...(success === undefined ? {} : { notifyOnSuccess: success }),
      ...(seconds === undefined ? {} : { digestSeconds: seconds }),
    };
  }
}
