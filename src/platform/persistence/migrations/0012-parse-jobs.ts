// Platform, persistence. Frameworks of controls that people bring, and what was read out of them. Owned by
// src/parse-job-cleanup.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class ParseJobs1764460800012 implements MigrationInterface {
  readonly name = 'ParseJobs1764460800012';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['framework_parse_jobs', 'framework_controls']) {
      await fenceTenantTable(runner, `compliance.${table}`, 'tenant');
    }
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  `create schema if not exists compliance`,
  `grant usage on schema compliance to horarium_app`,

  `create table compliance.framework_parse_jobs (
     id text primary key,
     tenant_id integer not null constraint fk_framework_parse_jobs_tenant references tenants,
     name text not null,
     format text not null constraint ck_framework_parse_jobs_format check (format in ('oscal', 'csv')),
     status text not null constraint ck_framework_parse_jobs_status
       check (status in ('queued', 'parsing', 'awaiting_review', 'approved', 'rejected', 'failed')),
     document bytea,
     document_bytes integer not null,
     total_controls integer,
     done_controls integer not null default 0,
     error text,
     -- How often somebody began to parse it.
     attempts integer not null default 0,
     lease_owner text,
     lease_expires_at timestamptz,
     created_by text not null,
     created_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz,
     reviewed_by text,
     reviewed_at timestamptz,
     deleted_at timestamptz,
     restored_at timestamptz
   )`,
  `create index ix_framework_parse_jobs_tenant on compliance.framework_parse_jobs (tenant_id, created_at desc, id desc)`,
  `create index ix_framework_parse_jobs_open on compliance.framework_parse_jobs (created_at)
     where status in ('queued', 'parsing') and deleted_at is null`,
  // What the nightly clean-up walks through, and nothing else.
  `create index ix_framework_parse_jobs_age on compliance.framework_parse_jobs (created_at) where deleted_at is null`,
  `create index ix_framework_parse_jobs_deleted on compliance.framework_parse_jobs (deleted_at)
     where deleted_at is not null`,

  `create table compliance.framework_controls (
     job_id text not null constraint fk_framework_controls_job references compliance.framework_parse_jobs on delete cascade,
     nr integer not null,
     tenant_id integer not null,
     control_id text not null,
     family text,
     title text not null,
     statement text not null,
     primary key (job_id, nr)
   )`,
];
