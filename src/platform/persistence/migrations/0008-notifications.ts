// Platform, persistence. Notifications by room and sequence, what people want to hear, outgoing webhooks.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class Notifications1764460800008 implements MigrationInterface {
  readonly name = 'Notifications1764460800008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['notification_preferences', 'notification_reads']) await fenceTenantTable(runner, table);
    for (const table of ['notification_rooms', 'webhook_endpoints', 'webhook_deliveries']) {
      await fenceTenantTable(runner, table, 'tenant');
    }
    for (const statement of OWN_FENCE) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  // The last sequence of each room: a row's lock is what makes sequences grow without gaps or doubles.
  `create table notification_rooms (
     tenant_id integer not null,
     room text not null,
     last_seq bigint not null,
     primary key (tenant_id, room)
   )`,

  // A digest that is still being collected has no sequence yet: nobody sees it before it is due.
  `create table notifications (
     id text primary key,
     tenant_id integer not null,
     room text not null,
     user_id text,
     seq bigint,
     kind text not null,
     title text not null,
     data jsonb not null,
     op_id text,
     created_at timestamptz not null,
     due_at timestamptz
   )`,
  `create unique index uq_notifications_seq on notifications (tenant_id, room, seq)`,
  `create unique index uq_notifications_digest on notifications (tenant_id, room, kind) where seq is null`,
  `create unique index uq_notifications_op on notifications (tenant_id, room, op_id) where op_id is not null`,
  `create index ix_notifications_due on notifications (due_at) where seq is null`,
  `create index ix_notifications_created on notifications (created_at)`,
  `create index ix_notifications_kind on notifications (tenant_id, room, kind, created_at desc) where seq is not null`,

  // Facts that were taken: the outbox may bring one a second time.
  `create table notification_facts (
     event_id bigint primary key,
     taken_at timestamptz not null
   )`,
  `create index ix_notification_facts_taken on notification_facts (taken_at)`,
  `grant select, insert, delete on notification_facts to horarium_app`,

  `create table notification_reads (
     tenant_id integer not null,
     user_id text not null,
     notification_id text not null constraint fk_notification_reads_notification references notifications on delete cascade,
     read_at timestamptz not null,
     primary key (tenant_id, user_id, notification_id)
   )`,
  `create index ix_notification_reads_notification on notification_reads (notification_id)`,

  // task_id is empty for what holds for all tasks of a user.
  `create table notification_preferences (
     tenant_id integer not null,
     user_id text not null,
     task_id text not null default '',
     notify_on_failure boolean,
     notify_on_success boolean,
     digest_seconds integer,
     updated_at timestamptz not null,
     primary key (tenant_id, user_id, task_id)
   )`,

  `create table webhook_endpoints (
     id text primary key,
     tenant_id integer not null constraint fk_webhook_endpoints_tenant references tenants,
     name text not null,
     target text not null,
     url text not null,
     event_types text[] not null,
     secret bytea,
     previous_secret bytea,
     previous_secret_until timestamptz,
     enabled boolean not null,
     disabled_reason text,
     failing_since timestamptz,
     created_by text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null
   )`,
  `create index ix_webhook_endpoints_tenant on webhook_endpoints (tenant_id, created_at desc, id desc)`,

  `create table webhook_deliveries (
     id text primary key,
     tenant_id integer not null,
     endpoint_id text not null constraint fk_webhook_deliveries_endpoint references webhook_endpoints on delete cascade,
     event_id bigint,
     type text not null,
     payload jsonb not null,
     occurred_at timestamptz not null,
     state text not null,
     attempts integer not null default 0,
     next_attempt_at timestamptz,
     give_up_at timestamptz,
     lease_expires_at timestamptz,
     created_at timestamptz not null,
     ended_at timestamptz,
     last_status integer,
     last_error text,
     last_answer text,
     last_duration_ms integer
   )`,
  // The outbox may bring a fact twice; an endpoint is told once.
  `create unique index uq_webhook_deliveries_event on webhook_deliveries (endpoint_id, event_id) where event_id is not null`,
  `create index ix_webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'waiting'`,
  `create index ix_webhook_deliveries_lease on webhook_deliveries (lease_expires_at) where lease_expires_at is not null`,
  `create index ix_webhook_deliveries_log on webhook_deliveries (endpoint_id, created_at desc, id desc)`,
  `create index ix_webhook_deliveries_ended on webhook_deliveries (ended_at) where state <> 'waiting'`,
];

// A room of a user is theirs alone; the others are the tenant's, and who may enter one is decided at the door.
const OWN_FENCE = [
  `alter table notifications enable row level security`,
  `alter table notifications force row level security`,
  `create policy notifications_fence on notifications
     using ((select horarium_is_system())
       or (tenant_id = (select horarium_tenant()) and (user_id is null or user_id = (select horarium_user()))))
     with check ((select horarium_is_system())
       or (tenant_id = (select horarium_tenant()) and (user_id is null or user_id = (select horarium_user()))))`,
  `grant select, insert, update, delete on notifications to horarium_app`,
];
