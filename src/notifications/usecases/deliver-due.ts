// Use case. Brings due deliveries to their receivers, several at once. Answers when to look again.
import type { Clock } from '../../kernel/clock';
import { type Attempt, type Delivery, GIVE_UP_AFTER_MS, nextAttempt } from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import type { Courier } from '../ports/courier';
import type { DeliveryRepository } from '../ports/delivery-repository';
import type { EndpointRepository } from '../ports/endpoint-repository';

const AT_ONCE = 16;

export class DeliverDue {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly endpoints: EndpointRepository,
    private readonly courier: Courier,
    private readonly clock: Clock,
    private readonly chance: () => number,
  ) {}

  async run(now: Date): Promise<Date | null> {
    const first = await this.deliveries.nextDue();
    if (first === null || first > now) return first;
    for (let claimed = AT_ONCE, at = now; claimed === AT_ONCE; at = this.clock.now()) {
      const due = await this.deliveries.claim(AT_ONCE, at);
      await Promise.all(due.map(({ delivery, endpoint }) => this.deliver(delivery, endpoint)));
      claimed = due.length;
    }
    return this.deliveries.nextDue();
  }

  /** Also for the test button, which waits for the answer. */
  async deliver(delivery: Delivery, endpoint: Endpoint): Promise<{ delivery: Delivery; attempt: Attempt }> {
    const secrets = await this.endpoints.secrets(endpoint.id, this.clock.now());
    const attempt = await this.courier.bring(endpoint, secrets, delivery, this.clock.now());
    const now = this.clock.now();
    const giveUpAt = delivery.giveUpAt ?? new Date(delivery.createdAt.getTime() + GIVE_UP_AFTER_MS);
    const next =
      attempt.ok || attempt.gone
        ? null
        : nextAttempt({ attempts: delivery.attempts + 1, giveUpAt }, attempt, now, this.chance());
    return { delivery: await this.deliveries.record(delivery, attempt, next, now), attempt };
  }
}
