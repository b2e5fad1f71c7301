// Platform, persistence. Surveys, their answers with every version, who is at which field, who is present. Owned by
// src/survey-collaboration.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

const TABLES = ['surveys', 'survey_answers', 'survey_answer_versions', 'survey_locks', 'survey_presence'];

export class Surveys1764460800009 implements MigrationInterface {
  readonly name = 'Surveys1764460800009';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of TABLES) await fenceTenantTable(runner, table, 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  // `rev` is written with every answer: its row is what writers of one survey wait for.
  `create table surveys (
     id text primary key,
     tenant_id integer not null constraint fk_surveys_tenant references tenants,
     user_id text not null,
     title text not null,
     description text,
     fields jsonb not null,
     audience text not null constraint ck_surveys_audience check (audience in ('members', 'tenant')),
     members text[] not null,
     status text not null constraint ck_surveys_status check (status in ('open', 'closed')),
     rev bigint not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz
   ) with (fillfactor = 70)`,
  `create index ix_surveys_tenant on surveys (tenant_id, created_at desc, id desc) where deleted_at is null`,

  `create table survey_answers (
     survey_id text not null constraint fk_survey_answers_survey references surveys on delete cascade,
     field_key text not null,
     tenant_id integer not null,
     user_id text not null,
     value jsonb,
     version integer not null,
     rev bigint not null,
     updated_at timestamptz not null,
     constraint survey_answers_pkey primary key (survey_id, field_key)
   )`,

  `create table survey_answer_versions (
     survey_id text not null constraint fk_survey_answer_versions_survey references surveys on delete cascade,
     rev bigint not null,
     field_key text not null,
     version integer not null,
     tenant_id integer not null,
     user_id text not null,
     value jsonb,
     old_value jsonb,
     overwrote boolean not null,
     op_id text,
     created_at timestamptz not null,
     constraint survey_answer_versions_pkey primary key (survey_id, rev)
   )`,
  // One history without forks, whatever the code says.
  `create unique index uq_survey_answer_versions_version on survey_answer_versions (survey_id, field_key, version)`,
  // The same operation is written once.
  `create unique index uq_survey_answer_versions_op on survey_answer_versions (survey_id, user_id, op_id)
     where op_id is not null`,

  // A row stays when its lock has ended, so that the fence never starts again. user_id and session are then those of the
  // last holder.
  `create table survey_locks (
     survey_id text not null constraint fk_survey_locks_survey references surveys on delete cascade,
     field_key text not null,
     tenant_id integer not null,
     user_id text not null,
     session text not null,
     held boolean not null,
     fence bigint not null,
     renewed_at timestamptz not null,
     announced_at timestamptz not null,
     expires_at timestamptz not null,
     ends_as text not null constraint ck_survey_locks_ends_as check (ends_as in ('expired', 'disconnected')),
     constraint survey_locks_pkey primary key (survey_id, field_key)
   ) with (fillfactor = 70)`,
  `create index ix_survey_locks_held on survey_locks (expires_at) where held`,

  `create table survey_presence (
     survey_id text not null constraint fk_survey_presence_survey references surveys on delete cascade,
     user_id text not null,
     session text not null,
     tenant_id integer not null,
     connection text not null,
     seen_until timestamptz not null,
     constraint survey_presence_pkey primary key (survey_id, user_id, session)
   ) with (fillfactor = 70)`,
  `create index ix_survey_presence_connection on survey_presence (connection)`,
];
