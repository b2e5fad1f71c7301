// Platform, outbox. Who listens to which events. A registry: platform knows no feature, so a feature's module registers
// its listener in `onModuleInit`.
import type { OutboxEvent } from './outbox-event';

export interface OutboxConsumer {
  /** Its place in the history is kept under this name: never change it. */
  readonly name: string;
  readonly types: readonly string[];
  /**
   * Events in order of their tenant, each at least once: after a crash they come again, so take them idempotently (by
   * `event.id`). Throw, and they come again later; those of other tenants and for other consumers do not wait.
   */
  consume(events: readonly OutboxEvent[]): Promise<void>;
}

export class OutboxConsumers {
  private readonly registered = new Map<string, OutboxConsumer>();

  /** A consumer that the database does not know yet begins with what is written from now on. */
  register(consumer: OutboxConsumer): void {
    if (this.registered.has(consumer.name)) throw new Error(`two consumers of events are called ${consumer.name}`);
    this.registered.set(consumer.name, consumer);
  }

  all(): readonly OutboxConsumer[] {
    return [...this.registered.values()];
  }
}
