// Inbound. Webhooks as clients send them. The rules of names, addresses and events are the domain's.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { DELIVERY_STATES, type DeliveryState } from '../domain/delivery';
import { type Target, TARGETS } from '../domain/endpoint';
import { DELIVERED_TYPES, USUAL_TYPES } from '../domain/webhook-event';
import type { NewWebhook, WebhookChange } from '../usecases/manage-webhooks';
import { PageQuery } from '../../platform/protocol/page-query';

const TYPES = {
  type: 'array' as const,
  items: { type: 'string' as const, enum: [...DELIVERED_TYPES] },
  example: ['run.failed', 'task.recovered'],
};
const given = (_: object, value: unknown): boolean => value !== undefined;

export class CreateWebhookRequest {
  @ApiProperty({ maxLength: 100, example: 'on-call' })
  @IsString()
  name!: string;

  @ApiPropertyOptional({
    enum: TARGETS,
    default: 'signed',
    description:
      '`signed`: JSON with Standard Webhooks signatures. `slack`: a Slack-compatible incoming webhook. `ntfy`: an ntfy ' +
      'topic. `mail`: an address, `mailto:ops@example.org`; needs `HORARIUM_SMTP_URL`.',
  })
  @IsOptional()
  @IsIn(TARGETS)
  target?: Target;

  @ApiProperty({ example: 'https://example.org/hooks/horarium' })
  @IsString()
  url!: string;

  @ApiPropertyOptional({ ...TYPES, description: `Which events. Default: ${USUAL_TYPES.join(', ')}.` })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  event_types?: string[];

  toInput(): NewWebhook {
    const { name, target = 'signed', url, event_types: eventTypes } = this;
    return { name, target, url, ...(eventTypes === undefined ? {} : { eventTypes }) };
  }
}

export class UpdateWebhookRequest {
  @ApiPropertyOptional({ maxLength: 100 })
  @ValidateIf(given)
  @IsString()
  name?: string;

  @ApiPropertyOptional({ example: 'https://example.org/hooks/horarium' })
  @ValidateIf(given)
  @IsString()
  url?: string;

  @ApiPropertyOptional(TYPES)
  @ValidateIf(given)
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  event_types?: string[];

  @ApiPropertyOptional({ description: 'Enabling also forgets that it had failed.' })
  @ValidateIf(given)
  @IsBoolean()
  enabled?: boolean;

  toChange(): WebhookChange {
    const { name, url, event_types: eventTypes, enabled } = this;
    return {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(enabled === undefined ? {} : { enabled }),
    };
  }
}

export class ListDeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATES, description: '`parked`: given up, kept for replay.' })
  @IsOptional()
  @IsIn(DELIVERY_STATES)
  state?: DeliveryState;
}
