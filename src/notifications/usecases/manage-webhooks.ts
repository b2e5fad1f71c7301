// Use case. Webhooks of a tenant: making, changing, rotating, deleting. The secret is shown when it is made, and never again.
import type { UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { checkedName, checkedTypes, checkedUrl, type Endpoint, OVERLAP_MS, type Target } from '../domain/endpoint';
import { EndpointInvalidError, EndpointNotFoundError } from '../domain/errors';
import { USUAL_TYPES } from '../domain/webhook-event';
import type { Courier } from '../ports/courier';
import type { EndpointRepository } from '../ports/endpoint-repository';

export interface NewWebhook {
  readonly name: string;
  readonly target: Target;
  readonly url: string;
  readonly eventTypes?: readonly string[];
}

export interface WebhookChange {
  readonly name?: string;
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly enabled?: boolean;
}

export class ManageWebhooks {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly courier: Courier,
    private readonly ids: Ids,
  ) {}

  async create(actor: UserActor, input: NewWebhook, now: Date): Promise<{ endpoint: Endpoint; secret: string | null }> {
    const endpoint: Endpoint = {
      id: prefixedId('hook-', this.ids),
      tenantId: actor.tenantId,
      name: checkedName(input.name),
      target: input.target,
      url: this.allowedUrl(input.target, input.url),
      eventTypes: checkedTypes(input.eventTypes ?? USUAL_TYPES),
      enabled: true,
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      createdBy: actor.userId,
      createdAt: now,
      updatedAt: now,
    };
    const secret = input.target === 'signed' ? this.courier.newSecret() : null;
    await this.endpoints.add(actor, endpoint, secret);
    return { endpoint, secret };
  }

  list(actor: UserActor): Promise<Endpoint[]> {
    return this.endpoints.list(actor);
  }

  async find(actor: UserActor, id: string): Promise<Endpoint> {
    return found(await this.endpoints.find(actor, id), id);
  }

  async change(
    actor: UserActor,
    id: string,
    { name, url, eventTypes, enabled }: WebhookChange,
    now: Date,
  ): Promise<Endpoint> {
    const { target } = await this.find(actor, id);
    const change = {
      ...(name === undefined ? {} : { name: checkedName(name) }),
      ...(url === undefined ? {} : { url: this.allowedUrl(target, url) }),
      ...(eventTypes === undefined ? {} : { eventTypes: checkedTypes(eventTypes) }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    return found(await this.endpoints.update(actor, id, change, now), id);
  }

  async remove(actor: UserActor, id: string): Promise<Endpoint> {
    const endpoint = await this.find(actor, id);
    if (!(await this.endpoints.remove(actor, id))) throw new EndpointNotFoundError(id);
    return endpoint;
  }

  async rotate(actor: UserActor, id: string, now: Date): Promise<{ endpoint: Endpoint; secret: string }> {
    const { target } = await this.find(actor, id);
    if (target !== 'signed') throw new EndpointInvalidError('target', `A ${target} webhook has no secret.`);
    const secret = this.courier.newSecret();
    const until = new Date(now.getTime() + OVERLAP_MS);
    return { endpoint: found(await this.endpoints.rotate(actor, id, secret, until, now), id), secret };
  }

  private allowedUrl(target: Target, url: string): string {
    const checked = checkedUrl(target, url);
    const refusal = this.courier.refusal(target, checked);
    if (refusal !== undefined) throw new EndpointInvalidError('url', `url: ${refusal}`);
    return checked;
  }
}

function found(endpoint: Endpoint | undefined, id: string): Endpoint {
  if (endpoint === undefined) throw new EndpointNotFoundError(id);
  return endpoint;
}
