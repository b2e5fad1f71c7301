// Port. Webhooks of a tenant, with secrets that are stored sealed.
import type { Actor, UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Endpoint, Secrets } from '../domain/endpoint';

export interface EndpointRepository {
  /** @throws TooManyEndpointsError */
  add(actor: UserActor, endpoint: Endpoint, secret: string | null): Promise<void>;
  list(actor: Actor): Promise<Endpoint[]>;
  find(actor: Actor, id: string): Promise<Endpoint | undefined>;
  /** Writes what may be changed; undefined when it is not there. Enabling forgets why it was disabled. */
  update(
    actor: Actor,
    id: string,
    change: Partial<Pick<Endpoint, 'name' | 'url' | 'eventTypes' | 'enabled'>>,
    now: Date,
  ): Promise<Endpoint | undefined>;
  /** With its deliveries. */
  remove(actor: UserActor, id: string): Promise<boolean>;
  /** The secret in use becomes the previous one until then. */
  rotate(actor: UserActor, id: string, secret: string, until: Date, now: Date): Promise<Endpoint | undefined>;
  /** To sign with; never shown. Null for targets that are not signed. */
  secrets(id: string, now: Date): Promise<Secrets | null>;
  /** The ready-made ones of the operator's settings: exactly these, from now on. */
  settleHouseTargets(targets: readonly Endpoint[]): Promise<void>;
}

export const EndpointRepository = token<EndpointRepository>('EndpointRepository');
