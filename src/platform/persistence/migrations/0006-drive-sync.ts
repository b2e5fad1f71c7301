// Platform, persistence. Google Drive: a tenant's connection, the job queue, the index of folders and files. Owned by
// src/drive-sync.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class DriveSync1764460800006 implements MigrationInterface {
  readonly name = 'DriveSync1764460800006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of TABLES) await fenceTenantTable(runner, table, 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const TABLES = ['tenant_drive_integrations', 'drive_consents', 'drive_items', 'drive_sync_jobs'];

const STATEMENTS = [
  `create table tenant_drive_integrations (
     tenant_id integer primary key constraint fk_tenant_drive_integrations_tenant references tenants,
     status text not null constraint ck_tenant_drive_integrations_status
       check (status in ('DISCONNECTED', 'CONNECTED', 'NEEDS_RECONNECT')),
     generation integer not null default 1,
     account_email text,
     drive_id text,
     root_folder_id text,
     refresh_token bytea,
     access_token bytea,
     access_expires_at timestamptz,
     scope text,
     page_token text,
     slow_until timestamptz,
     slow_steps integer not null default 0,
     last_sync_at timestamptz,
     last_error text,
     connected_by text,
     connected_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null
   )`,

  // A consent that was begun: only who began it can end it, once, and soon.
  `create table drive_consents (
     state_hash bytea primary key,
     tenant_id integer not null constraint fk_drive_consents_tenant references tenants on delete cascade,
     user_id text not null,
     drive_id text,
     verifier bytea not null,
     expires_at timestamptz not null
   )`,
  `create index ix_drive_consents_expiry on drive_consents (expires_at)`,

  // What we know of Drive's side: the folders that we made and the files that are evidence. The id of a folder or file
  // that we make is stored before Drive is asked, so that whoever repeats the call repeats it with the same id.
  `create table drive_items (
     tenant_id integer not null constraint fk_drive_items_tenant references tenants,
     drive_file_id text not null,
     kind text not null constraint ck_drive_items_kind check (kind in ('root', 'project', 'task', 'file')),
     subject_id text,
     parent_id text,
     target_id text,
     state text not null constraint ck_drive_items_state check (state in ('creating', 'present', 'gone')),
     name text not null,
     our_name text,
     our_sha256 text,
     revision text,
     version bigint,
     problem text,
     problem_revision text,
     updated_at timestamptz not null,
     constraint pk_drive_items primary key (tenant_id, drive_file_id)
   )`,
  `create unique index uq_drive_items_subject on drive_items (tenant_id, kind, subject_id) where subject_id is not null`,
  `create index ix_drive_items_parent on drive_items (tenant_id, parent_id, drive_file_id)`,
  `create index ix_drive_items_target on drive_items (tenant_id, target_id) where target_id is not null`,

  `create table drive_sync_jobs (
     id bigint generated always as identity primary key,
     uid uuid not null default gen_random_uuid() constraint uq_drive_sync_jobs_uid unique,
     tenant_id integer not null constraint fk_drive_sync_jobs_tenant references tenants,
     job_type character varying(40) not null,
     payload jsonb not null default '{}',
     status character varying(20) not null default 'PENDING' constraint ck_drive_sync_jobs_status
       check (status::text in ('PENDING', 'IN_PROGRESS', 'SUCCESS', 'FAILED', 'SKIPPED')),
     priority integer not null default 0,
     retry_count integer not null default 0,
     max_retries integer not null default 8,
     next_run_at timestamptz not null default now(),
     last_error text,
     started_at timestamptz,
     finished_at timestamptz,
     created_at timestamptz not null default now(),
     dedupe_key text,
     item_key text,
     cancel_requested_by text,
     lease_owner text,
     lease_token uuid,
     lease_expires_at timestamptz,
     takeovers integer not null default 0
   )`,
  // At most one waiting job of a kind that would do the same.
  `create unique index uq_drive_sync_jobs_waiting on drive_sync_jobs (tenant_id, dedupe_key)
     where status = 'PENDING' and dedupe_key is not null`,
  // The backstop of the order on one item: the claim looks first.
  `create unique index uq_drive_sync_jobs_item on drive_sync_jobs (tenant_id, item_key)
     where status = 'IN_PROGRESS' and item_key is not null`,
  `create index ix_drive_sync_jobs_waiting on drive_sync_jobs (tenant_id, priority desc, id) where status = 'PENDING'`,
  `create index ix_drive_sync_jobs_item on drive_sync_jobs (tenant_id, item_key, id)
     where status::text in ('PENDING', 'IN_PROGRESS') and item_key is not null`,
  `create index ix_drive_sync_jobs_leased on drive_sync_jobs (tenant_id, lease_expires_at) where status = 'IN_PROGRESS'`,
  `create index ix_drive_sync_jobs_tenant on drive_sync_jobs (tenant_id, id desc)`,
  `create index ix_drive_sync_jobs_finished on drive_sync_jobs (finished_at) where finished_at is not null`,
];
