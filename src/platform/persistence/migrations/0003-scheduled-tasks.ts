// Platform, persistence. Tasks, their progress, their runs. Owned by src/schedule.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class ScheduledTasks1764460800003 implements MigrationInterface {
  readonly name = 'ScheduledTasks1764460800003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['scheduled_tasks', 'scheduled_task_states', 'scheduled_task_runs']) {
      await fenceTenantTable(runner, table);
    }
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  // The rule: written by its owner only, so the hot path never copies a prompt.
  `create table scheduled_tasks (
     id text primary key,
     tenant_id integer not null constraint fk_scheduled_tasks_tenant references tenants,
     user_id text not null,
     title text not null,
     prompt text not null,
     assistant_id text not null,
     context_mode text not null,
     thread_id text,
     working_folder text,
     schedule_type text not null,
     schedule_spec jsonb not null,
     timezone text not null,
     overlap_policy text not null default 'skip',
     misfire_grace_seconds integer,
     queue_timeout_seconds integer,
     recurring boolean not null default true,
     session_id text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz
   )`,
  `create index ix_scheduled_tasks_user on scheduled_tasks (tenant_id, user_id, created_at desc, id desc)
     where deleted_at is null`,
  `create index ix_scheduled_tasks_thread on scheduled_tasks (thread_id) where thread_id is not null and deleted_at is null`,

  `create index ix_scheduled_tasks_session on scheduled_tasks (session_id)
     where session_id is not null and deleted_at is null`,

  // Its progress: written at every firing, hence narrow and with two indexes only.
  `create table scheduled_task_states (
     task_id text primary key constraint fk_scheduled_task_states_task references scheduled_tasks on delete cascade,
     tenant_id integer not null,
     user_id text not null,
     status text not null constraint ck_scheduled_task_states_status
       check (status in ('enabled', 'paused', 'running', 'completed', 'failed', 'cancelled')),
     next_run_at timestamptz,
     lease_owner text,
     lease_expires_at timestamptz,
     last_run_at timestamptz,
     last_run_id text,
     last_thread_id text,
     last_error text,
     run_count integer not null default 0,
     missed_occurrences integer not null default 0,
     failures_in_a_row integer not null default 0,
     version integer not null default 1
   )`,
  `create index ix_scheduled_task_states_due on scheduled_task_states (next_run_at, task_id)
     where next_run_at is not null and status in ('enabled', 'running')`,

  // Empty as long as all is well: an enabled task without a next instant is an alarm.
  `create index ix_scheduled_task_states_alarm on scheduled_task_states (task_id)
     where status = 'enabled' and next_run_at is null`,

  // One row for each occurrence, also for those that did not start. No foreign key to the task: it would lock and
  // rewrite the rule's row at every firing; tasks are deleted softly, and retention removes runs first.
  `create table scheduled_task_runs (
     id text primary key,
     task_id text not null,
     tenant_id integer not null,
     user_id text not null,
     thread_id text not null,
     agent_run_id text,
     instance_id text,
     trigger text not null constraint ck_scheduled_task_runs_trigger check (trigger in ('scheduled', 'manual')),
     status text not null constraint ck_scheduled_task_runs_status
       check (status in ('waiting', 'queued', 'running', 'success', 'failed', 'interrupted', 'skipped')),
     reason text,
     error text,
     presumed boolean not null default false,
     late_reason text,
     scheduled_for timestamptz not null,
     created_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz
   )`,
  // The arbiters: one active run for each task, whoever asks first, and beside it one that waits for its turn.
  `create unique index uq_scheduled_task_run_active on scheduled_task_runs (task_id)
     where status in ('queued', 'running')`,
  `create unique index uq_scheduled_task_run_waiting on scheduled_task_runs (task_id) where status = 'waiting'`,
  `create index ix_scheduled_task_runs_waiting on scheduled_task_runs (thread_id, created_at, id) where status = 'waiting'`,
  // The identity of an occurrence: at most one run for each, over restarts, takeovers and processes.
  `create unique index uq_scheduled_task_run_occurrence on scheduled_task_runs (task_id, scheduled_for)
     where trigger = 'scheduled'`,
  `create index ix_scheduled_task_runs_task on scheduled_task_runs (task_id, created_at desc, id desc)`,
  `create index ix_scheduled_task_runs_user on scheduled_task_runs (tenant_id, user_id, created_at desc, id desc)`,
];
