// Outbound adapter. Owns table webhook_deliveries; with a delivery's end, what it says of its webhook.
import { systemActor, type UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { appendEvents } from '../../platform/outbox';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { constraintOf } from '../../platform/persistence/sql-errors';
import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  DISABLE_AFTER_MS,
  GIVE_UP_AFTER_MS,
} from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import { EndpointNotFoundError } from '../domain/errors';
import type { Fact } from '../domain/fact';
import type { DeliveryRepository } from '../ports/delivery-repository';
import { DELIVERER } from './deliverer';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery } from './delivery.row';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint.row';

const HOUSE = systemActor('webhooks');

/** Held until their deliveries stand: one that is deleted in between would take the whole batch with it. */
const WANTED = `
  select id, tenant_id, event_types from webhook_endpoints where enabled and tenant_id = any ($1) order by id
     for key share`;

/** A fact that comes again finds its delivery, and adds none. */
const QUEUE = `
  insert into webhook_deliveries (id, tenant_id, endpoint_id, event_id, type, payload, occurred_at, state,
                                  next_attempt_at, give_up_at, created_at)
  select d.id, d.tenant_id, d.endpoint_id, d.event_id, d.type, d.payload, d.occurred_at, 'waiting', $8, $9, $8
    from unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::jsonb[], $7::timestamptz[])
         as d (id, tenant_id, endpoint_id, event_id, type, payload, occurred_at)
  on conflict (endpoint_id, event_id) where event_id is not null do nothing`;

const ADD = `
  insert into webhook_deliveries (id, tenant_id, endpoint_id, type, payload, occurred_at, state, next_attempt_at,
                                  give_up_at, created_at)
  values ($1, $2, $3, $4, $5, $6, 'waiting', $7, $8, $9)`;

/** One process at a time sends a delivery; one that dies over it lets go after a minute. */
const CLAIM = `
  update webhook_deliveries set lease_expires_at = horarium_now() + interval '60 seconds'
   where id in (select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and e.enabled
                 where d.state = 'waiting' and d.next_attempt_at <= $2
                   and (d.lease_expires_at is null or d.lease_expires_at < horarium_now())
                 order by d.next_attempt_at limit $1 for update of d skip locked)
  returning ${DELIVERY_COLUMNS}`;

const ENDPOINTS = `select ${ENDPOINT_COLUMNS} from webhook_endpoints where id = any ($1)`;

/** Two walks along an index, however many wait: the first that nobody has in hand, and the first that somebody has. */
const NEXT_DUE = `
  select least(
    (select d.next_attempt_at from webhook_deliveries d
      where d.state = 'waiting' and (d.lease_expires_at is null or d.lease_expires_at < horarium_now())
        and exists (select from webhook_endpoints e where e.id = d.endpoint_id and e.enabled)
      order by d.next_attempt_at limit 1),
    (select d.lease_expires_at from webhook_deliveries d
      where d.state = 'waiting' and d.lease_expires_at >= horarium_now()
      order by d.lease_expires_at limit 1)) as due_at`;

const RECORD = `
  update webhook_deliveries
     set state = $2, attempts = attempts + 1, next_attempt_at = $3, lease_expires_at = null,
         ended_at = case when $2 = 'waiting' then null else $4::timestamptz end,
         last_status = $5, last_error = $6, last_answer = $7, last_duration_ms = $8
   where id = $1 returning ${DELIVERY_COLUMNS}`;

const WENT_WELL = `update webhook_endpoints set failing_since = null where id = $1 and failing_since is not null`;

const FAILED = `
  update webhook_endpoints set failing_since = coalesce(failing_since, $2) where id = $1
  returning ${ENDPOINT_COLUMNS}`;

/** Of two that find it failing at once one disables it: the notice is sent once. */
const DISABLE = `
  update webhook_endpoints set enabled = false, disabled_reason = $2, updated_at = $3 where id = $1 and enabled
  returning ${ENDPOINT_COLUMNS}`;

const PARK_WAITING = `
  update webhook_deliveries set state = 'parked', next_attempt_at = null, ended_at = $2
   where endpoint_id = $1 and state = 'waiting'`;

const LIST = `
  select ${DELIVERY_COLUMNS} from webhook_deliveries
   where endpoint_id = $1 and ($2::text is null or state = $2)
     and ($3::timestamptz is null or (created_at, id) < ($3, $4))
   order by created_at desc, id desc limit $5`;

const FIND = `select ${DELIVERY_COLUMNS} from webhook_deliveries where endpoint_id = $1 and id = $2`;

const UNPARK = `
  update webhook_deliveries
     set state = 'waiting', next_attempt_at = $2, give_up_at = $3, ended_at = null
   where endpoint_id = $1 and state = 'parked' returning id`;

const FORGET = `
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries where state <> 'waiting' and ended_at < $1 limit 5000) returning id`;

export class SqlDeliveryRepository implements DeliveryRepository {
  constructor(
    private readonly sessions: Sessions,
    private readonly ids: Ids,
  ) {}

  async queue(facts: readonly Fact[], now: Date): Promise<void> {
    await this.sessions.run(HOUSE, async (tx) => {
      const tenants = [...new Set(facts.map(({ tenantId }) => tenantId))];
      const endpoints = await tx.query<{ id: string; tenant_id: number; event_types: string[] }>(WANTED, [tenants]);
      const wanted = facts.flatMap((fact) =>
        endpoints
          .filter(({ tenant_id, event_types }) => tenant_id === fact.tenantId && event_types.includes(fact.type))
          .map(({ id }) => ({ fact, endpointId: id })),
      );
      if (wanted.length === 0) return;
      await tx.query(QUEUE, [
        wanted.map(() => prefixedId('msg_', this.ids)),
        wanted.map(({ fact }) => fact.tenantId),
        wanted.map(({ endpointId }) => endpointId),
        wanted.map(({ fact }) => fact.id),
        wanted.map(({ fact }) => fact.type),
        wanted.map(({ fact }) => JSON.stringify(fact.payload)),
        wanted.map(({ fact }) => fact.occurredAt),
        now,
        new Date(now.getTime() + GIVE_UP_AFTER_MS),
      ]);
      tx.wakeAfterCommit(DELIVERER);
    });
  }

  async add(actor: UserActor, delivery: Delivery): Promise<void> {
    const { id, tenantId, endpointId, type, payload, occurredAt, nextAttemptAt, giveUpAt, createdAt } = delivery;
    const params = [
      id,
      tenantId,
      endpointId,
      type,
      JSON.stringify(payload),
      occurredAt,
      nextAttemptAt,
      giveUpAt,
      createdAt,
    ];
    try {
      await this.sessions.run(actor, (tx) => tx.query(ADD, params));
    } catch (error) {
      // It was deleted after it had been looked at.
      if (constraintOf(error) === 'fk_webhook_deliveries_endpoint') throw new EndpointNotFoundError(endpointId);
      throw error;
    }
  }

  claim(limit: number, now: Date): Promise<{ delivery: Delivery; endpoint: Endpoint }[]> {
    return this.sessions.run(HOUSE, async (tx) => {
      const rows = await tx.query<DeliveryRow>(CLAIM, [limit, now]);
      if (rows.length === 0) return [];
      const found = await tx.query<EndpointRow>(ENDPOINTS, [[...new Set(rows.map((row) => row.endpoint_id))]]);
      const endpoints = new Map(found.map((row) => [row.id, toEndpoint(row)]));
      return rows.flatMap((row) => {
        const endpoint = endpoints.get(row.endpoint_id);
        return endpoint === undefined ? [] : [{ delivery: toDelivery(row), endpoint }];
      });
    });
  }

  async nextDue(): Promise<Date | null> {
    const [row] = await this.sessions.ask<{ due_at: Date | null }>(HOUSE, NEXT_DUE);
    return row?.due_at ?? null;
  }

  record(delivery: Delivery, attempt: Attempt, next: Date | null, now: Date): Promise<Delivery> {
    const state: DeliveryState = attempt.ok ? 'delivered' : next === null ? 'parked' : 'waiting';
    const { status, error, answer, durationMs } = attempt;
    return this.sessions.run(HOUSE, async (tx) => {
      const [row] = await tx.query<DeliveryRow>(RECORD, [
        delivery.id,
        state,
        state === 'waiting' ? next : null,
        now,
        status,
        error,
        answer,
        durationMs,
      ]);
      if (attempt.ok) await tx.query(WENT_WELL, [delivery.endpointId]);
      else await this.failed(tx, delivery, attempt, now);
      // It was deleted in the meantime, with its webhook.
      return row === undefined ? { ...delivery, state } : toDelivery(row);
    });
  }

  async list(
    actor: UserActor,
    endpointId: string,
    { limit, state, after }: { limit: number; state?: DeliveryState; after?: { createdAt: Date; id: string } },
  ): Promise<Delivery[]> {
    const params = [endpointId, state ?? null, after?.createdAt ?? null, after?.id ?? null, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<DeliveryRow>(LIST, params))).map(toDelivery);
  }

  async find(actor: UserActor, endpointId: string, id: string): Promise<Delivery | undefined> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<DeliveryRow>(FIND, [endpointId, id]));
    return row === undefined ? undefined : toDelivery(row);
  }

  async unpark(actor: UserActor, endpointId: string, now: Date): Promise<number> {
    const giveUpAt = new Date(now.getTime() + GIVE_UP_AFTER_MS);
    const rows = await this.sessions.run(actor, (tx) => {
      tx.wakeAfterCommit(DELIVERER);
      return tx.query(UNPARK, [endpointId, now, giveUpAt]);
    });
    return rows.length;
  }

  async forget(olderThan: Date): Promise<number> {
    return (await this.sessions.run(HOUSE, (tx) => tx.query(FORGET, [olderThan]))).length;
  }

  private async failed(tx: Tx, { endpointId }: Delivery, { gone, error }: Attempt, now: Date): Promise<void> {
    const [row] = await tx.query<EndpointRow>(FAILED, [endpointId, now]);
    const failingMs = now.getTime() - (row?.failing_since?.getTime() ?? now.getTime());
    if (row === undefined || (!gone && failingMs < DISABLE_AFTER_MS)) return;
    const [disabled] = await tx.query<EndpointRow>(DISABLE, [endpointId, gone ? 'gone' : 'failing', now]);
    if (disabled === undefined) return;
    await tx.query(PARK_WAITING, [endpointId, now]);
    const reason = gone ? 'its receiver is gone for good' : `nothing came through for 24 h (${error ?? 'no reason'})`;
    const payload = { webhook_id: endpointId, name: disabled.name, reason, user_id: disabled.created_by };
    await appendEvents(tx, [{ tenantId: disabled.tenant_id, type: 'webhook.disabled', payload, occurredAt: now }]);
  }
}
