// Webhook-renewal. Where port meets adapter, and configuration meets policy.
import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { ChannelKeepers, DriveSyncModule, QueueChanges, WatchDrive } from '../drive-sync';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { Metrics } from '../platform/metrics/metrics';
import { Sessions } from '../platform/persistence/sessions';
import { bind, construct, provide } from '../platform/wiring';
import type { ChannelPolicy } from './domain/channel';
import { ChannelsController } from './inbound/channels.controller';
import { StrangerLimit } from './inbound/stranger-limit';
import { WebhookMetrics } from './inbound/webhook-metrics';
import { WebhookController } from './inbound/webhook.controller';
import { DriveWatcher } from './outbound/drive-watcher';
import { OutboxRenewalLog } from './outbound/outbox-renewal-log';
import { RandomChannelSecrets } from './outbound/random-channel-secrets';
import { SqlChannelRepository } from './outbound/sql-channel-repository';
import { ChannelRepository } from './ports/channel-repository';
import { ChannelSecrets } from './ports/channel-secrets';
import { RenewalLog } from './ports/renewal-log';
import { Watcher } from './ports/watcher';
import { ReadChannels } from './usecases/read-channels';
import { RenewChannels } from './usecases/renew-channels';
import { TakeNotice } from './usecases/take-notice';

const Policy = token<ChannelPolicy>('ChannelPolicy');
const HOUR_MS = 3_600_000;

@Module({
  imports: [DriveSyncModule],
  controllers: [WebhookController, ChannelsController],
  providers: [
    provide(Policy, policyOf, [Config]),
    provide(RenewalLog, renewalLog, [Sessions]),
    bind(ChannelRepository, SqlChannelRepository, [Sessions]),
    bind(ChannelSecrets, RandomChannelSecrets, []),
    bind(Watcher, DriveWatcher, [WatchDrive, QueueChanges]),
    construct(RenewChannels, [ChannelRepository, Watcher, ChannelSecrets, RenewalLog, Policy]),
    construct(TakeNotice, [ChannelRepository, Watcher]),
    construct(ReadChannels, [ChannelRepository]),
    construct(StrangerLimit, []),
    construct(WebhookMetrics, [Metrics]),
  ],
  exports: [RenewChannels],
})
export class WebhookRenewalModule implements OnModuleInit {
  constructor(
    private readonly keepers: ChannelKeepers,
    private readonly renewal: RenewChannels,
    private readonly channels: ReadChannels,
  ) {}

  onModuleInit(): void {
    this.keepers.register({
      opened: (tenantId, now) => this.renewal.connected(tenantId, now),
      closing: (tenantId, now) => this.renewal.closeAll(tenantId, now),
      state: (tenantId, now) => this.channels.summary(tenantId, now),
    });
  }
}

function policyOf(config: Config): ChannelPolicy {
  return {
    windowMs: config.channelRenewalWindowHours * HOUR_MS,
    ttlMs: config.channelTtlDays * 24 * HOUR_MS,
    address: (tenantId) => `${config.publicUrl}/api/1.0/webhooks/google-drive/${tenantId}`,
  };
}

function renewalLog(sessions: Sessions): RenewalLog {
  const logger = new Logger('WebhookChannelRenewer');
  return new OutboxRenewalLog(sessions, (message) => logger.warn(message));
}
