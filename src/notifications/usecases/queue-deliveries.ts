// Use case. Facts have arrived: what webhooks are to be told of them is written down. Sending is deliver-due.ts.
import type { Fact } from '../domain/fact';
import type { DeliveryRepository } from '../ports/delivery-repository';

export class QueueDeliveries {
  constructor(private readonly deliveries: DeliveryRepository) {}

  run(facts: readonly Fact[], now: Date): Promise<void> {
    return this.deliveries.queue(facts, now);
  }
}
