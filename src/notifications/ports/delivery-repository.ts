// Port. Deliveries: a queue and a log in one.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Attempt, Delivery, DeliveryState } from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import type { Fact } from '../domain/fact';

export interface DeliveryRepository {
  /** One for each fact and each enabled webhook of its tenant that wants its type; a fact that comes again adds none. */
  queue(facts: readonly Fact[], now: Date): Promise<void>;
  /** One that nobody has told of: for the test button, and for replays. */
  add(actor: UserActor, delivery: Delivery): Promise<void>;
  /** Takes due ones of enabled webhooks for a minute, each by one process only. */
  claim(limit: number, now: Date): Promise<{ readonly delivery: Delivery; readonly endpoint: Endpoint }[]>;
  /** When the next one is due; null: none waits. */
  nextDue(): Promise<Date | null>;
  /**
   * What came of an attempt, of the delivery and of its webhook: together with it, a webhook that fails for too long or
   * is gone is disabled, which is a fact that others hear of, and its waiting deliveries are parked.
   * @param next null after a failure: it is parked
   */
  record(delivery: Delivery, attempt: Attempt, next: Date | null, now: Date): Promise<Delivery>;
  list(
    actor: UserActor,
    endpointId: string,
    page: { readonly limit: number; readonly state?: DeliveryState; readonly after?: { createdAt: Date; id: string } },
  ): Promise<Delivery[]>;
  find(actor: UserActor, endpointId: string, id: string): Promise<Delivery | undefined>;
  /** Parked ones wait again, from now; answers how many. */
  unpark(actor: UserActor, endpointId: string, now: Date): Promise<number>;
  forget(olderThan: Date): Promise<number>;
}

export const DeliveryRepository = token<DeliveryRepository>('DeliveryRepository');
