// Platform, outbox. One relay for the process. Consumers register in their own module's onModuleInit.
import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { ThisInstance } from '../../kernel/this-instance';
import { Config } from '../config/config';
import { HealthIndicators } from '../health/health-indicators';
import { Metrics } from '../metrics/metrics';
import { Sessions } from '../persistence/sessions';
import { construct, provide } from '../wiring';
import { OutboxConsumers } from './outbox-consumers';
import { OutboxHealth, OutboxMetrics } from './outbox-metrics';
import { OutboxRelay } from './outbox-relay';
import { OutboxRetention } from './outbox-retention';
import { OutboxStore } from './outbox-store';

const RELAY = { leaseSeconds: 30, pageSize: 200, gapMs: 100 };

@Global()
@Module({
  providers: [
    { provide: OutboxConsumers, useFactory: () => new OutboxConsumers() },
    construct(OutboxStore, [Sessions]),
    construct(OutboxMetrics, [Metrics, OutboxStore, Clock]),
    construct(OutboxHealth, [OutboxStore, Clock]),
    provide(OutboxRelay, makeRelay, [OutboxStore, OutboxConsumers, OutboxMetrics, ThisInstance, Clock]),
    provide(OutboxRetention, retention, [OutboxStore, Config]),
  ],
  exports: [OutboxConsumers, OutboxRelay, OutboxRetention],
})
export class OutboxModule implements OnApplicationBootstrap {
  constructor(
    private readonly relay: OutboxRelay,
    private readonly indicators: HealthIndicators,
    private readonly health: OutboxHealth,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.indicators.add(this.health);
    await this.relay.open();
  }
}

function makeRelay(
  store: OutboxStore,
  consumers: OutboxConsumers,
  metrics: OutboxMetrics,
  instance: ThisInstance,
  clock: Clock,
): OutboxRelay {
  return new OutboxRelay(store, consumers, metrics, instance, clock, RELAY);
}

function retention(store: OutboxStore, config: Config): OutboxRetention {
  return new OutboxRetention(store, config.outboxRetentionDays);
}
