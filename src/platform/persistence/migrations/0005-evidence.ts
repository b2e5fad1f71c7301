// Platform, persistence. Projects, the controls to be evidenced in them, and the evidence. Owned by src/evidence.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class Evidence1764460800005 implements MigrationInterface {
  readonly name = 'Evidence1764460800005';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['projects', 'project_tasks', 'evidence']) await fenceTenantTable(runner, table, 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  `create table projects (
     id text primary key,
     tenant_id integer not null constraint fk_projects_tenant references tenants,
     name text not null,
     drive_folder_id text,
     created_by text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     archived_at timestamptz
   )`,
  `create index ix_projects_tenant on projects (tenant_id, created_at desc, id desc)`,
  `create unique index uq_projects_drive_folder on projects (tenant_id, drive_folder_id) where drive_folder_id is not null`,

  // A control that is to be evidenced. Its family says which classified evidence belongs to it.
  `create table project_tasks (
     id text primary key,
     tenant_id integer not null,
     project_id text not null constraint fk_project_tasks_project references projects,
     name text not null,
     control_family text,
     drive_folder_id text,
     created_by text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz
   )`,
  `create index ix_project_tasks_project on project_tasks (project_id, created_at, id)`,
  `create unique index uq_project_tasks_drive_folder on project_tasks (tenant_id, drive_folder_id)
     where drive_folder_id is not null`,

  `create table evidence (
     id text primary key,
     tenant_id integer not null,
     project_id text not null constraint fk_evidence_project references projects,
     task_id text constraint fk_evidence_task references project_tasks,
     name text not null,
     mime_type text not null,
     size_bytes bigint not null,
     sha256 text not null,
     storage_key text not null,
     source text not null constraint ck_evidence_source check (source in ('upload', 'drive', 'agent')),
     drive_file_id text,
     status text not null constraint ck_evidence_status check (status in ('unclassified', 'classified')),
     control_family text,
     review_decision text constraint ck_evidence_review_decision
       check (review_decision in ('accepted', 'corrected', 'rejected')),
     reviewed_by text,
     reviewed_at timestamptz,
     created_by text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     deleted_by text
   )`,
  `create index ix_evidence_project on evidence (project_id, created_at desc, id desc)`,
  `create index ix_evidence_task on evidence (task_id, created_at desc, id desc) where task_id is not null`,
  // A file of Drive is one piece of evidence, also when it is imported twice at once.
  `create unique index uq_evidence_drive_file on evidence (tenant_id, drive_file_id) where drive_file_id is not null`,
];
