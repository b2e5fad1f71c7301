// Platform, outbox. What is delivered, what waits, and since when: for Prometheus and for the health page.
import type { Counter } from 'prom-client';
import type { Clock } from '../../kernel/clock';
import type { HealthIndicator, HealthReading } from '../health/health-indicators';
import type { Metrics } from '../metrics/metrics';
import type { OutboxStore } from './outbox-store';

const GAUGES = {
  lagSeconds: { name: 'horarium_outbox_lag_seconds', help: 'Age of the oldest event that a consumer has not taken.' },
  pending: { name: 'horarium_outbox_pending_events', help: 'Events that at least one consumer has not passed yet.' },
  held: {
    name: 'horarium_outbox_held_events',
    help: 'Events that a consumer could not take, or that wait behind one.',
  },
};

export class OutboxMetrics {
  private readonly takings: Counter<'consumer'>;
  private readonly failures: Counter<'consumer'>;

  constructor(metrics: Metrics, store: OutboxStore, clock: Clock) {
    this.takings = metrics.counter('horarium_outbox_taken_total', 'Events that consumers took.', 'consumer');
    this.failures = metrics.counter('horarium_outbox_failures_total', 'Events that they could not take.', 'consumer');
    metrics.contribute('outbox', GAUGES, async () => {
      const { lagSeconds, pending, held } = await store.backlog(clock.now());
      return { lagSeconds, pending, held };
    });
  }

  announce(consumer: string): void {
    this.takings.inc({ consumer }, 0);
    this.failures.inc({ consumer }, 0);
  }

  taken(consumer: string, count: number): void {
    this.takings.inc({ consumer }, count);
  }

  failed(consumer: string): void {
    this.failures.inc({ consumer });
  }
}

/** Minutes are a sign that nobody delivers; seconds are a long transaction of somebody else. */
const TOLERATED_LAG_SECONDS = 120;

export class OutboxHealth implements HealthIndicator {
  readonly name = 'outbox';
  readonly mustHave = false;

  constructor(
    private readonly store: OutboxStore,
    private readonly clock: Clock,
  ) {}

  async check(): Promise<HealthReading> {
    const { lagSeconds, pending, held, heldBy } = await this.store.backlog(this.clock.now());
    const figures = { lag_seconds: Math.round(lagSeconds), pending, held };
    if (held > 0) {
      return {
        status: 'warn',
        message: `${held} events wait for another try at ${heldBy}; the log says why`,
        ...figures,
      };
    }
    if (lagSeconds > TOLERATED_LAG_SECONDS) {
      const message = 'events are not delivered: a consumer, or a transaction that never ends, holds them up';
      return { status: 'warn', message, ...figures };
    }
    return { status: 'ok', ...figures };
  }
}
