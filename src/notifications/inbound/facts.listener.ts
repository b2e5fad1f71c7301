// Inbound. Hears the facts of other features through the outbox: what is said to people, and what to webhooks.
import type { Clock } from '../../kernel/clock';
import type { OutboxConsumer, OutboxEvent } from '../../platform/outbox';
import { HEARD_TYPES } from '../domain/fact';
import { DELIVERED_TYPES } from '../domain/webhook-event';
import type { QueueDeliveries } from '../usecases/queue-deliveries';
import type { TakeFacts } from '../usecases/take-facts';

export class NotificationFacts implements OutboxConsumer {
  readonly name = 'notifications';
  readonly types = HEARD_TYPES;

  constructor(
    private readonly takeFacts: TakeFacts,
    private readonly clock: Clock,
  ) {}

  consume(events: readonly OutboxEvent[]): Promise<void> {
    return this.takeFacts.run(events, this.clock.now());
  }
}

export class WebhookFacts implements OutboxConsumer {
  readonly name = 'webhooks';
  readonly types = DELIVERED_TYPES;

  constructor(
    private readonly queue: QueueDeliveries,
    private readonly clock: Clock,
  ) {}

  consume(events: readonly OutboxEvent[]): Promise<void> {
    return this.queue.run(events, this.clock.now());
  }
}
