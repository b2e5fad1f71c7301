// Platform, persistence. The outbox: facts that a feature wrote in its own transaction, for others to act on.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class Outbox1764460800004 implements MigrationInterface {
  readonly name = 'Outbox1764460800004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['outbox_events', 'outbox_retries']) await fenceTenantTable(runner, table, 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  // Transaction ids begin again in a database that was restored from a dump; the shift keeps ours growing.
  `create table outbox_shift (
     only_row boolean primary key default true constraint ck_outbox_shift_only_row check (only_row),
     shift bigint not null
   )`,
  `insert into outbox_shift (shift) values (0)`,
  `grant select, update on outbox_shift to horarium_app`,

  // A transaction's place in the history of writers.
  `create function horarium_writer(transaction_id xid8) returns bigint language sql stable
     as $$ select transaction_id::text::bigint + (select shift from outbox_shift) $$`,
  // Below it every writer has ended: what they wrote is to be seen, and nothing will be added.
  `create function horarium_settled_writer() returns bigint language sql stable
     as $$ select horarium_writer(pg_snapshot_xmin(pg_current_snapshot())) $$`,

  `create table outbox_events (
     id bigint generated always as identity primary key,
     tenant_id integer not null,
     type text not null,
     payload jsonb not null,
     occurred_at timestamptz not null,
     writer bigint not null default horarium_writer(pg_current_xact_id())
   )`,
  `create index ix_outbox_events_writer on outbox_events (writer, id)`,

  // How far each consumer has come: all writers below done_writer; of those from there to below window_writer, the
  // events up to window_id.
  `create table outbox_consumers (
     name text primary key,
     done_writer bigint not null,
     window_writer bigint,
     window_id bigint not null default 0,
     lease_owner text,
     lease_expires_at timestamptz
   )`,
  `grant select, insert, update, delete on outbox_consumers to horarium_app`,

  // What a consumer could not take, and all later events of the same tenant: they wait, the others do not.
  `create table outbox_retries (
     consumer text not null constraint fk_outbox_retries_consumer references outbox_consumers on delete cascade,
     tenant_id integer not null,
     event_id bigint not null constraint fk_outbox_retries_event references outbox_events,
     failures integer not null,
     retry_at timestamptz not null,
     last_error text,
     primary key (consumer, tenant_id, event_id)
   )`,
  `create index ix_outbox_retries_event on outbox_retries (event_id)`,
];
