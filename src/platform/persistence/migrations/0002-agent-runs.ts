// Platform, persistence. Threads and the agent runs on them. Owned by src/agent-run.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class AgentRuns1764460800002 implements MigrationInterface {
  readonly name = 'AgentRuns1764460800002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of ['threads', 'thread_messages', 'agent_runs', 'outside_runs'])
      await fenceTenantTable(runner, table);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

// No foreign keys among these tables: a run would pay four of them (a fifth of what its statements cost, and locks on
// rows that all runs of a tenant share). The one statement that writes a run looks whether the thread is there and whose
// it is; nothing deletes a thread or a tenant, and whoever will removes what lies beneath first.
const STATEMENTS = [
  `create table threads (
     id text primary key,
     tenant_id integer not null,
     user_id text not null,
     title text,
     -- What each assistant's agent calls its own conversation on this thread, by assistant.
     agent_sessions jsonb not null default '{}',
     created_at timestamptz not null,
     updated_at timestamptz not null
   )`,
  `create index ix_threads_user on threads (tenant_id, user_id, created_at desc, id desc)`,

  `create table thread_messages (
     id bigint generated always as identity primary key,
     thread_id text not null,
     tenant_id integer not null,
     user_id text not null,
     agent_run_id text,
     role text not null constraint ck_thread_messages_role check (role in ('user', 'assistant', 'system', 'tool')),
     content text not null,
     created_at timestamptz not null
   )`,
  `create index ix_thread_messages_thread on thread_messages (thread_id, id)`,

  `create table agent_runs (
     id text primary key,
     request_id text not null constraint uq_agent_run_request unique,
     tenant_id integer not null,
     user_id text not null,
     thread_id text not null,
     assistant_id text not null,
     instance_id text,
     status text not null constraint ck_agent_runs_status
       check (status in ('queued', 'starting', 'running', 'success', 'error', 'timeout', 'interrupted')),
     metadata jsonb not null,
     working_folder text,
     turn_of text,
     prompt text not null,
     presumed boolean not null default false,
     error text,
     reason text constraint ck_agent_runs_reason check (reason in ('rate_limited', 'input_needed')),
     exit_code integer,
     result text,
     usage jsonb,
     output text,
     output_dropped_bytes bigint not null default 0,
     error_output text,
     error_output_dropped_bytes bigint not null default 0,
     cancel_requested_at timestamptz,
     retry_at timestamptz,
     attempt integer not null default 1,
     created_at timestamptz not null,
     started_at timestamptz,
     finished_at timestamptz
   )`,
  // At most one agent run works on a thread; queued ones wait outside of it, and those of its turn go along with it.
  `create unique index uq_agent_run_active_thread on agent_runs (thread_id)
     where status in ('starting', 'running') and turn_of is null`,
  `create index ix_agent_runs_thread on agent_runs (thread_id, created_at desc, id desc)`,
  // Small, and empty most of the time. The two are apart because whoever asks for a thread's queued runs, or ends a run
  // by its id, must not be planned to read all that are open.
  `create index ix_agent_runs_queued on agent_runs (thread_id, created_at, id) where status = 'queued'`,
  `create index ix_agent_runs_open on agent_runs (instance_id) where status in ('starting', 'running')`,

  // What was used, by what a run was launched with: few say anything of it.
  `create index ix_agent_runs_usage on agent_runs using gin (metadata jsonb_path_ops) where usage is not null`,
  `create index ix_agent_runs_retry on agent_runs (retry_at) where retry_at is not null and status = 'running'`,

  // Runs that agents outside of the house execute. What they report stays here until the run's holder has taken it over.
  `create table outside_runs (
     agent_run_id text primary key,
     request_id text not null constraint uq_outside_run_request unique,
     tenant_id integer not null,
     user_id text not null,
     assistant_id text not null,
     kind text not null constraint ck_outside_runs_kind check (kind in ('pull', 'handed-over')),
     token_hash text,
     lease_seconds integer,
     claim_timeout_seconds integer not null,
     timeout_seconds integer not null,
     offered_at timestamptz not null,
     claimed_at timestamptz,
     claimed_by text,
     tries integer not null,
     lease_expires_at timestamptz,
     give_up_at timestamptz not null,
     cancel_reason text,
     report jsonb,
     ended_at timestamptz
   )`,
  // In the order in which they are fetched.
  `create index ix_outside_runs_waiting on outside_runs (tenant_id, assistant_id, offered_at, agent_run_id)
     where kind = 'pull' and claimed_at is null and report is null`,
  `create index ix_outside_runs_ended on outside_runs (ended_at) where ended_at is not null`,
];
