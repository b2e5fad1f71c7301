// Platform, persistence. Runs of the classifier over a project's evidence, and what it suggested for each file. Owned by
// src/evidence-classification.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class Classification1764460800011 implements MigrationInterface {
  readonly name = 'Classification1764460800011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['evidence_classification_runs', 'evidence_classification_files']) {
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

  `create table compliance.evidence_classification_runs (
     id text primary key,
     tenant_id integer not null constraint fk_classification_runs_tenant references tenants,
     project_id text not null,
     status text not null constraint ck_classification_runs_status
       check (status in ('queued', 'starting', 'running', 'succeeded', 'failed', 'cancelled')),
     reason text,
     detail text,
     runner text,
     image text not null,
     total_files integer not null,
     done_files integer not null default 0,
     failed_files integer not null default 0,
     -- Whose folders and engine it runs with: others cannot see it.
     place text,
     lease_owner text,
     lease_expires_at timestamptz,
     deadline_at timestamptz,
     cancel_requested_at timestamptz,
     created_by text not null,
     created_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz
   )`,
  // The arbiter: one active run for each project, whoever asks first.
  `create unique index uq_classification_run_active on compliance.evidence_classification_runs (project_id)
     where status in ('queued', 'starting', 'running')`,
  `create index ix_classification_runs_project on compliance.evidence_classification_runs
     (project_id, created_at desc, id desc)`,
  `create index ix_classification_runs_open on compliance.evidence_classification_runs (created_at, id)
     where status in ('queued', 'starting', 'running')`,

  `create table compliance.evidence_classification_files (
     run_id text not null constraint fk_classification_files_run
       references compliance.evidence_classification_runs on delete cascade,
     evidence_id text not null,
     tenant_id integer not null,
     nr integer not null,
     name text not null,
     state text not null constraint ck_classification_files_state check (state in ('pending', 'done', 'failed')),
     control_family text,
     confidence real,
     words text[] not null default '{}',
     error text,
     review_decision text constraint ck_classification_files_decision
       check (review_decision in ('accepted', 'corrected', 'rejected')),
     reviewed_family text,
     reviewed_by text,
     reviewed_at timestamptz,
     primary key (run_id, evidence_id)
   )`,
];
