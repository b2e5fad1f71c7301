// Notifications. The commands, for cli.ts only. They ask the server, so nothing of the feature is loaded with them.
import { Module } from '@nestjs/common';
import { NOTIFICATION_COMMANDS, NotificationsCommand } from './inbound/notifications.cli';
import { WEBHOOK_COMMANDS, WebhooksCommand } from './inbound/webhooks.cli';

@Module({ providers: [NotificationsCommand, ...NOTIFICATION_COMMANDS, WebhooksCommand, ...WEBHOOK_COMMANDS] })
export class NotificationsCliModule {}
