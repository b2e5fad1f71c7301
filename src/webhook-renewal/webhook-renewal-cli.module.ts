// Webhook-renewal. The commands, for cli.ts only.
import { Module } from '@nestjs/common';
import { CHANNEL_COMMANDS, ChannelsCommand } from './inbound/channels.cli';

@Module({ providers: [ChannelsCommand, ...CHANNEL_COMMANDS] })
export class WebhookRenewalCliModule {}
