// Platform, outbox. Owns outbox_consumers, outbox_retries and the retention of outbox_events.
//
// Ids are given before the commit, so an event may appear below one that was read already. Hence events are read in
// windows of writers that have all ended (horarium_settled_writer), and within a window in the order of their ids. An
// event is in no earlier window than another that it follows from: the later of two was written when the earlier had been
// committed, and whoever has seen the later one end has seen the earlier one end, too.
import { systemActor } from '../../kernel/actor';
import type { Sessions, Tx } from '../persistence/sessions';
import type { OutboxEvent } from './outbox-event';

const ACTOR = systemActor('outbox');

/** A dump that was restored has events of transaction ids which the new server has not reached: move on past them. */
const SHIFT_AFTER_RESTORE = `
  update outbox_shift set shift = shift + newest.writer + 1 - horarium_writer(pg_snapshot_xmax(pg_current_snapshot()))
    from (select greatest((select max(writer) from outbox_events), (select max(done_writer) from outbox_consumers),
                          (select max(window_writer) from outbox_consumers)) as writer) newest
   where newest.writer > horarium_writer(pg_snapshot_xmax(pg_current_snapshot()))
  returning shift`;

const ENTER = `
  insert into outbox_consumers (name, done_writer) select name, horarium_settled_writer() from unnest($1::text[]) as n (name)
  on conflict (name) do nothing`;

/** $1: what each consumer asked for, by its name. */
const WANTED = `exists (
  select from outbox_events e
   where e.writer >= c.done_writer and e.writer < horarium_settled_writer() and ($1::jsonb -> c.name) ? e.type)`;

/**
 * Whether there is anything to do, and when there will be: all that a round asks which finds nothing. Of the events of a
 * tenant that wait, the oldest decides when.
 */
const LOOK = `
  select c.name, c.lease_owner is null or c.lease_expires_at < horarium_now() as free, c.lease_expires_at as lease_ends_at,
         c.window_writer is not null or exists (
           select from outbox_events e where e.writer >= c.done_writer and e.writer < horarium_settled_writer()) as behind,
         c.window_writer is not null or ${WANTED} as wanted,
         (select min(head.retry_at) from (
           select distinct on (r.tenant_id) r.retry_at from outbox_retries r where r.consumer = c.name
            order by r.tenant_id, r.event_id) head) as retry_at,
         exists (select from outbox_events where writer >= horarium_settled_writer()) as unsettled
    from outbox_consumers c
   where $1::jsonb ? c.name`;

/** Whoever wants none of what has come is past it, all of them at once. */
const PASS_BY = `
  update outbox_consumers c set done_writer = horarium_settled_writer()
   where $1::jsonb ? c.name and c.window_writer is null and (c.lease_owner is null or c.lease_expires_at < horarium_now())
     and c.done_writer < horarium_settled_writer() and not ${WANTED}`;

/** One relay at a time for a consumer. A late one finds its lease gone, and moves nothing. */
const LEASE = `
  update outbox_consumers set lease_owner = $2, lease_expires_at = horarium_now() + make_interval(secs => $3)
   where name = $1 and (lease_owner is null or lease_expires_at < horarium_now())
  returning name`;

const PAGE = `
  with place as (
    select done_writer, coalesce(window_writer, horarium_settled_writer()) as window_writer, window_id
      from outbox_consumers where name = $1 and lease_owner = $2
  )
  select place.window_writer, e.id, e.tenant_id, e.type, e.payload, e.occurred_at, r.tenant_id is not null as held
    from place
    left join lateral (
      select * from outbox_events
       where writer >= place.done_writer and writer < place.window_writer and id > place.window_id and type = any($3)
       order by id limit $4) e on true
    left join (select distinct tenant_id from outbox_retries where consumer = $1) r on r.tenant_id = e.tenant_id
   order by e.id`;

const MOVE = `
  update outbox_consumers
     set done_writer = case when $4::bigint is null then $3 else done_writer end,
         window_writer = case when $4::bigint is null then null else $3 end,
         window_id = coalesce($4, 0), lease_owner = case when $4::bigint is null then null else lease_owner end,
         lease_expires_at = case when $4::bigint is null then null else horarium_now() + make_interval(secs => $5) end
   where name = $1 and lease_owner = $2
  returning name`;

const HOLD = `
  insert into outbox_retries (consumer, tenant_id, event_id, failures, retry_at, last_error)
  select $1, * from unnest($2::integer[], $3::bigint[], $4::integer[], $5::timestamptz[], $6::text[])
  on conflict do nothing`;

/** The oldest event of each tenant decides; when it is due, those behind it are read with it. */
const HELD = `
  select e.id, e.tenant_id, e.type, e.payload, e.occurred_at, r.failures
    from outbox_retries r join outbox_events e on e.id = r.event_id
   where r.consumer = $1 and r.tenant_id in (
     select tenant_id from (
       select distinct on (tenant_id) tenant_id, retry_at from outbox_retries where consumer = $1
        order by tenant_id, event_id) head
      where head.retry_at <= $2)
   order by r.event_id limit $3`;

const TAKEN = `delete from outbox_retries where consumer = $1 and event_id = $2`;

const FAILED_AGAIN = `
  update outbox_retries set failures = failures + 1, retry_at = $3, last_error = $4 where consumer = $1 and event_id = $2`;

const RELEASE = `
  update outbox_consumers set lease_owner = null, lease_expires_at = null where name = $1 and lease_owner = $2`;

const FORGET = `
  delete from outbox_events where id in (
    select id from outbox_events e
     where e.occurred_at < $1 and e.writer < coalesce((select min(done_writer) from outbox_consumers), e.writer + 1)
       and not exists (select from outbox_retries r where r.event_id = e.id)
     order by e.writer limit $2)
  returning 1`;

const BACKLOG = `
  select (select extract(epoch from $1::timestamptz - min(e.occurred_at)) from outbox_events e
           where e.writer >= (select min(done_writer) from outbox_consumers)) as lag_seconds,
         (select count(*) from outbox_events e
           where e.writer >= (select min(done_writer) from outbox_consumers)) as pending,
         (select count(*) from outbox_retries) as held,
         (select string_agg(distinct consumer, ', ') from outbox_retries) as held_by`;

interface EventRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly occurred_at: Date;
}

export interface Page {
  /** The upper end of the window, which is done when the page is the last one. */
  readonly window: string;
  readonly events: readonly OutboxEvent[];
  /** Tenants of which earlier events wait already. */
  readonly heldTenants: ReadonlySet<number>;
}

/** An event that waits. Without an error of its own it waits for an earlier one of its tenant. */
export interface Hold {
  readonly event: OutboxEvent;
  readonly retryAt: Date;
  readonly error?: string;
}

export interface HeldEvent {
  readonly event: OutboxEvent;
  readonly failures: number;
}

/** A consumer, as far as it matters here. */
export interface Interested {
  readonly name: string;
  readonly types: readonly string[];
}

/** How a consumer stands. */
export interface ConsumerState {
  readonly name: string;
  /** Nobody serves it at the moment. */
  readonly free: boolean;
  readonly leaseEndsAt: Date | null;
  /** There are events that it has not seen. */
  readonly behind: boolean;
  /** Some of them are of its types. */
  readonly wanted: boolean;
  /** When one that it could not take is due; null: there is none. */
  readonly retryAt: Date | null;
  /** Events are committed, but a writer older than theirs has not ended. */
  readonly unsettled: boolean;
}

export interface OutboxBacklog {
  readonly lagSeconds: number;
  readonly pending: number;
  readonly held: number;
  readonly heldBy: string | null;
}

export class OutboxStore {
  constructor(private readonly sessions: Sessions) {}

  /** Before the first event of this process is written. Answers whether the database was restored from a dump. */
  async open(consumers: readonly string[]): Promise<boolean> {
    return this.run(async (tx) => {
      const shifted = await tx.query(SHIFT_AFTER_RESTORE);
      await tx.query(ENTER, [consumers]);
      return shifted.length > 0;
    });
  }

  async look(consumers: readonly Interested[]): Promise<ConsumerState[]> {
    type Row = Omit<ConsumerState, 'leaseEndsAt' | 'retryAt'> & { lease_ends_at: Date | null; retry_at: Date | null };
    const rows = await this.sessions.ask<Row>(ACTOR, LOOK, [interests(consumers)]);
    return rows.map(({ lease_ends_at: leaseEndsAt, retry_at: retryAt, ...row }) => ({ ...row, leaseEndsAt, retryAt }));
  }

  async passBy(consumers: readonly Interested[]): Promise<void> {
    await this.run((tx) => tx.query(PASS_BY, [interests(consumers)]));
  }

  async lease(consumer: string, owner: string, seconds: number): Promise<boolean> {
    return (await this.run((tx) => tx.query(LEASE, [consumer, owner, seconds]))).length > 0;
  }

  /** Null: the lease is somebody else's by now. */
  page(consumer: string, owner: string, types: readonly string[], limit: number): Promise<Page | null> {
    return this.run((tx) => readPage(tx, [consumer, owner, types, limit]));
  }

  /** Both at once; null: somebody else has it. */
  leaseAndPage(consumer: Interested, owner: string, seconds: number, limit: number): Promise<Page | null> {
    const { name, types } = consumer;
    return this.run(async (tx) => {
      const leased = await tx.query(LEASE, [name, owner, seconds]);
      return leased.length === 0 ? null : readPage(tx, [name, owner, types, limit]);
    });
  }

  /** `until`: the last event that was taken or held; null when the window has no more. */
  /** With the last page of a window the lease is given back. */
  async move(
    consumer: string,
    owner: string,
    to: { window: string; until: string | null; holds: readonly Hold[]; leaseSeconds: number },
  ): Promise<boolean> {
    return this.run(async (tx) => {
      const moved = await tx.query(MOVE, [consumer, owner, to.window, to.until, to.leaseSeconds]);
      if (moved.length > 0 && to.holds.length > 0) await tx.query(HOLD, [consumer, ...columnsOf(to.holds)]);
      return moved.length > 0;
    });
  }

  async held(consumer: string, now: Date, limit: number): Promise<HeldEvent[]> {
    const rows = await this.run((tx) => tx.query<EventRow & { failures: number }>(HELD, [consumer, now, limit]));
    return rows.map((row) => ({ event: toEvent(row), failures: row.failures }));
  }

  async taken(consumer: string, eventId: string): Promise<void> {
    await this.run((tx) => tx.query(TAKEN, [consumer, eventId]));
  }

  async failedAgain(consumer: string, eventId: string, retryAt: Date, error: string): Promise<void> {
    await this.run((tx) => tx.query(FAILED_AGAIN, [consumer, eventId, retryAt, error]));
  }

  async release(consumer: string, owner: string): Promise<void> {
    await this.run((tx) => tx.query(RELEASE, [consumer, owner]));
  }

  /** Removes events that every consumer has taken and that are older than this. Answers how many. */
  async forget(olderThan: Date, limit: number): Promise<number> {
    return (await this.run((tx) => tx.query(FORGET, [olderThan, limit]))).length;
  }

  async backlog(now: Date): Promise<OutboxBacklog> {
    type Row = { lag_seconds: string | null; pending: string; held: string; held_by: string | null };
    const [row] = await this.run((tx) => tx.query<Row>(BACKLOG, [now]));
    return {
      lagSeconds: Math.max(0, Number(row?.lag_seconds ?? 0)),
      pending: Number(row?.pending ?? 0),
      held: Number(row?.held ?? 0),
      heldBy: row?.held_by ?? null,
    };
  }

  private run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.sessions.run(ACTOR, work);
  }
}

async function readPage(tx: Tx, values: readonly unknown[]): Promise<Page | null> {
  const rows = await tx.query<EventRow & { window_writer: string; held: boolean }>(PAGE, values);
  const [first] = rows;
  if (first === undefined) return null;
  const found = rows.filter(({ id }) => id !== null);
  const heldTenants = new Set(found.filter(({ held }) => held).map((row) => row.tenant_id));
  return { window: first.window_writer, events: found.map(toEvent), heldTenants };
}

function interests(consumers: readonly Interested[]): string {
  return JSON.stringify(Object.fromEntries(consumers.map(({ name, types }) => [name, types])));
}

function toEvent({ id, tenant_id, type, payload, occurred_at }: EventRow): OutboxEvent {
  return { id, tenantId: tenant_id, type, payload, occurredAt: occurred_at };
}

function columnsOf(holds: readonly Hold[]): unknown[] {
  return [
    holds.map(({ event }) => event.tenantId),
    holds.map(({ event }) => event.id),
    holds.map(({ error }) => (error === undefined ? 0 : 1)),
    holds.map(({ retryAt }) => retryAt),
    holds.map(({ error }) => error ?? null),
  ];
}
