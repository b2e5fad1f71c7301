// Use case. The log of a webhook: what was sent, what was answered; sending again, and trying out.
import type { UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { type Delivery, type DeliveryState, GIVE_UP_AFTER_MS } from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import { DeliveryNotFoundError, EndpointDisabledError, EndpointNotFoundError } from '../domain/errors';
import { TEST_TYPE } from '../domain/webhook-event';
import type { DeliveryRepository } from '../ports/delivery-repository';
import type { EndpointRepository } from '../ports/endpoint-repository';
import type { DeliverDue } from './deliver-due';

export class ReadDeliveries {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly deliverDue: DeliverDue,
    private readonly ids: Ids,
  ) {}

  async list(
    actor: UserActor,
    endpointId: string,
    page: { limit: number; state?: DeliveryState; after?: { createdAt: Date; id: string } },
  ): Promise<Delivery[]> {
    await this.endpoint(actor, endpointId);
    return this.deliveries.list(actor, endpointId, page);
  }

  /** Sent at this moment, and only once: whoever presses the button waits for what comes of it. */
  async test(actor: UserActor, endpointId: string, now: Date): Promise<Delivery> {
    const endpoint = await this.endpoint(actor, endpointId);
    const payload = { message: 'A test of this webhook.', webhook_id: endpoint.id, user_id: actor.userId };
    return this.atOnce(actor, endpoint, { type: TEST_TYPE, payload, occurredAt: now }, now);
  }

  /** A new delivery of the same fact; the receiver sees another id, and the same content. */
  async replay(actor: UserActor, endpointId: string, id: string, now: Date): Promise<Delivery> {
    const endpoint = await this.endpoint(actor, endpointId);
    const delivery = await this.deliveries.find(actor, endpointId, id);
    if (delivery === undefined) throw new DeliveryNotFoundError(id);
    return this.atOnce(actor, endpoint, delivery, now);
  }

  async replayParked(actor: UserActor, endpointId: string, now: Date): Promise<number> {
    const { enabled } = await this.endpoint(actor, endpointId);
    if (!enabled) throw new EndpointDisabledError();
    return this.deliveries.unpark(actor, endpointId, now);
  }

  private async atOnce(
    actor: UserActor,
    endpoint: Endpoint,
    { type, payload, occurredAt }: Pick<Delivery, 'type' | 'payload' | 'occurredAt'>,
    now: Date,
  ): Promise<Delivery> {
    const fresh: Delivery = {
      id: prefixedId('msg_', this.ids),
      tenantId: actor.tenantId,
      endpointId: endpoint.id,
      type,
      payload,
      occurredAt,
      state: 'waiting',
      attempts: 0,
      // Nobody else takes it meanwhile; if this process dies, it is sent after all.
      nextAttemptAt: new Date(now.getTime() + 60_000),
      giveUpAt: type === TEST_TYPE ? now : new Date(now.getTime() + GIVE_UP_AFTER_MS),
      createdAt: now,
      endedAt: null,
      lastStatus: null,
      lastError: null,
      lastAnswer: null,
      lastDurationMs: null,
    };
    await this.deliveries.add(actor, fresh);
    return (await this.deliverDue.deliver(fresh, endpoint)).delivery;
  }

  private async endpoint(actor: UserActor, id: string): Promise<Endpoint> {
    const endpoint = await this.endpoints.find(actor, id);
    if (endpoint === undefined) throw new EndpointNotFoundError(id);
    return endpoint;
  }
}
