// Outbound adapter. Owns table webhook_endpoints. Secrets are sealed before they are written, each to its row and column.
import { type Actor, systemActor, type UserActor } from '../../kernel/actor';
import type { Sealing } from '../../platform/crypto';
import type { Sessions } from '../../platform/persistence/sessions';
import { type Endpoint, MOST_ENDPOINTS, type Secrets } from '../domain/endpoint';
import { TooManyEndpointsError } from '../domain/errors';
import type { EndpointRepository } from '../ports/endpoint-repository';
import { DELIVERER } from './deliverer';
import { ENDPOINT_COLUMNS, type EndpointRow, toEndpoint } from './endpoint.row';

export const SECRET = { table: 'webhook_endpoints', column: 'secret', key: 'id' } as const;
export const PREVIOUS_SECRET = { table: 'webhook_endpoints', column: 'previous_secret', key: 'id' } as const;

const HOUSE = systemActor('webhooks');

/** Two that are made at once are counted one after the other. */
const COUNT = `select count(*)::integer as count from webhook_endpoints where tenant_id = $1`;
const COUNTING = `select pg_advisory_xact_lock(hashtext('webhook_endpoints'), $1)`;

const ADD = `
  insert into webhook_endpoints (id, tenant_id, name, target, url, event_types, secret, enabled, created_by, created_at,
                                 updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $9)`;

const LIST = `select ${ENDPOINT_COLUMNS} from webhook_endpoints order by created_at desc, id desc`;
const FIND = `select ${ENDPOINT_COLUMNS} from webhook_endpoints where id = $1`;

const UPDATE = `
  update webhook_endpoints
     set name = coalesce($2, name), url = coalesce($3, url), event_types = coalesce($4, event_types),
         enabled = coalesce($5, enabled),
         disabled_reason = case when $5 is null then disabled_reason end,
         failing_since = case when $5 is true then null else failing_since end, updated_at = $6
   where id = $1 returning ${ENDPOINT_COLUMNS}`;

const REMOVE = `delete from webhook_endpoints where id = $1 returning id`;

const LOCK_SECRET = `select secret from webhook_endpoints where id = $1 for update`;
const ROTATE = `
  update webhook_endpoints
     set previous_secret = $2, previous_secret_until = $3, secret = $4, updated_at = $5
   where id = $1 returning ${ENDPOINT_COLUMNS}`;

const SECRETS = `
  select secret, case when previous_secret_until > $2 then previous_secret end as previous_secret
    from webhook_endpoints where id = $1`;

const FORGET_HOUSE = `delete from webhook_endpoints where id like 'house-%' and id <> all ($1)`;
const SETTLE_HOUSE = `
  insert into webhook_endpoints as e (id, tenant_id, name, target, url, event_types, enabled, created_by, created_at,
                                      updated_at)
  values ($1, $2, $3, $4, $5, $6, true, $7, $8, $8)
  on conflict (id) do update set url = excluded.url, event_types = excluded.event_types, updated_at = excluded.updated_at,
    enabled = e.enabled or e.url <> excluded.url`;

export class SqlEndpointRepository implements EndpointRepository {
  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
  ) {}

  async add(actor: UserActor, endpoint: Endpoint, secret: string | null): Promise<void> {
    const { id, tenantId, name, target, url, eventTypes, createdBy, createdAt } = endpoint;
    const sealed = secret === null ? null : this.sealing.seal(SECRET, id, secret);
    await this.sessions.run(actor, async (tx) => {
      await tx.query(COUNTING, [tenantId]);
      const [row] = await tx.query<{ count: number }>(COUNT, [tenantId]);
      if ((row?.count ?? 0) >= MOST_ENDPOINTS) throw new TooManyEndpointsError(MOST_ENDPOINTS);
      await tx.query(ADD, [id, tenantId, name, target, url, eventTypes, sealed, createdBy, createdAt]);
    });
  }

  async list(actor: Actor): Promise<Endpoint[]> {
    return (await this.sessions.run(actor, (tx) => tx.query<EndpointRow>(LIST))).map(toEndpoint);
  }

  async find(actor: Actor, id: string): Promise<Endpoint | undefined> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<EndpointRow>(FIND, [id]));
    return row === undefined ? undefined : toEndpoint(row);
  }

  async update(
    actor: Actor,
    id: string,
    { name, url, eventTypes, enabled }: Partial<Pick<Endpoint, 'name' | 'url' | 'eventTypes' | 'enabled'>>,
    now: Date,
  ): Promise<Endpoint | undefined> {
    const params = [id, name ?? null, url ?? null, eventTypes ?? null, enabled ?? null, now];
    const [row] = await this.sessions.run(actor, (tx) => {
      // What has waited meanwhile is due.
      if (enabled === true) tx.wakeAfterCommit(DELIVERER);
      return tx.query<EndpointRow>(UPDATE, params);
    });
    return row === undefined ? undefined : toEndpoint(row);
  }

  async remove(actor: UserActor, id: string): Promise<boolean> {
    return (await this.sessions.run(actor, (tx) => tx.query(REMOVE, [id]))).length > 0;
  }

  rotate(actor: UserActor, id: string, secret: string, until: Date, now: Date): Promise<Endpoint | undefined> {
    return this.sessions.run(actor, async (tx) => {
      const [before] = await tx.query<{ secret: Buffer | null }>(LOCK_SECRET, [id]);
      if (before === undefined) return undefined;
      // A sealed value belongs to its column: it is opened, and sealed again for the other one.
      const previous =
        before.secret === null
          ? null
          : this.sealing.seal(PREVIOUS_SECRET, id, this.sealing.open(SECRET, id, before.secret));
      const sealed = this.sealing.seal(SECRET, id, secret);
      const [row] = await tx.query<EndpointRow>(ROTATE, [id, previous, until, sealed, now]);
      return row === undefined ? undefined : toEndpoint(row);
    });
  }

  async secrets(id: string, now: Date): Promise<Secrets | null> {
    const [row] = await this.sessions.run(HOUSE, (tx) =>
      tx.query<{ secret: Buffer | null; previous_secret: Buffer | null }>(SECRETS, [id, now]),
    );
    if (row?.secret == null) return null;
    return {
      current: this.sealing.openText(SECRET, id, row.secret),
      previous: row.previous_secret === null ? null : this.sealing.openText(PREVIOUS_SECRET, id, row.previous_secret),
    };
  }

  async settleHouseTargets(targets: readonly Endpoint[]): Promise<void> {
    await this.sessions.run(HOUSE, async (tx) => {
      await tx.query(FORGET_HOUSE, [targets.map(({ id }) => id)]);
      for (const { id, tenantId, name, target, url, eventTypes, createdBy, createdAt } of targets) {
        await tx.query(SETTLE_HOUSE, [id, tenantId, name, target, url, eventTypes, createdBy, createdAt]);
      }
    });
  }
}
