import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { CHANNEL_STATES, type Channel } from '../domain/channel';
import type { Renewal } from '../usecases/renew-channels';

export class ChannelResponse {
  @ApiProperty()
  readonly id: string;

  @ApiProperty()
  readonly tenant_id: number;

  @ApiProperty({ type: String, nullable: true, description: 'The shared drive; null: My Drive.' })
  readonly drive_id: string | null;

  @ApiProperty({ enum: CHANNEL_STATES })
  readonly state: string;

  @ApiProperty()
  readonly expires_at: string;

  @ApiProperty({ description: 'Messages that came.' })
  readonly messages: number;

  @ApiProperty({ type: String, nullable: true })
  readonly last_message_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty()
  readonly created_at: string;

  constructor(channel: Channel) {
    this.id = channel.id;
    this.tenant_id = channel.tenantId;
    this.drive_id = channel.driveId;
    this.state = channel.state;
    this.expires_at = wireTime(channel.expiresAt);
    this.messages = channel.messages;
    this.last_message_at = wireTimeOrNull(channel.lastMessageAt);
    this.last_error = channel.lastError;
    this.created_at = wireTime(channel.createdAt);
  }
}

export class RenewalResponse {
  @ApiProperty()
  readonly tenant_id: number;

  @ApiProperty({ enum: ['kept', 'renewed', 'failed'] })
  readonly outcome: string;

  @ApiProperty({ type: String, nullable: true })
  readonly error: string | null;

  constructor({ tenantId, outcome, error }: Renewal) {
    this.tenant_id = tenantId;
    this.outcome = outcome;
    this.error = error;
  }
}
