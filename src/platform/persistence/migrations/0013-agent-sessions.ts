// Platform, persistence. Sessions that tasks may live and die with. Owned by src/agent-run.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class AgentSessions1764460800013 implements MigrationInterface {
  readonly name = 'AgentSessions1764460800013';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await fenceTenantTable(runner, 'agent_sessions');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  `create table agent_sessions (
     id text primary key,
     tenant_id integer not null constraint fk_agent_sessions_tenant references tenants,
     user_id text not null,
     thread_id text,
     assistant_id text,
     instance_id text not null,
     ttl_seconds integer not null,
     opened_at timestamptz not null,
     expires_at timestamptz not null,
     closed_at timestamptz,
     end_reason text constraint ck_agent_sessions_end_reason check (end_reason in ('closed', 'expired', 'process_lost'))
   )`,
  `create index ix_agent_sessions_user on agent_sessions (tenant_id, user_id, opened_at desc, id desc)
     where closed_at is null`,
  `create index ix_agent_sessions_open on agent_sessions (expires_at) where closed_at is null`,
];
