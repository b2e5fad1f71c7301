// Platform, persistence. Machines that work for a tenant: how they were let in, their certificates, when they were last
// heard of; and who vouches for them.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class RemoteAgents1764460800010 implements MigrationInterface {
  readonly name = 'RemoteAgents1764460800010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const table of TABLES) await fenceTenantTable(runner, `compliance.${table}`, 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const TABLES = [
  'agents',
  'agent_certificates',
  'enrollment_tokens',
  'enrollment_uses',
  'agent_last_seen',
  'agent_presence',
];

const STATEMENTS = [
  `create schema if not exists compliance`,
  `grant usage on schema compliance to horarium_app`,

  `create table compliance.agents (
     id uuid primary key,
     tenant_id integer not null constraint fk_agents_tenant references tenants,
     name text not null,
     version text not null,
     labels text[] not null,
     created_at timestamptz not null,
     disabled_at timestamptz,
     suspected_clone_at timestamptz,
     deleted_at timestamptz,
     changed_at timestamptz not null default horarium_now()
   )`,
  `create index ix_agents_tenant on compliance.agents (tenant_id, created_at desc, id desc)`,
  `create index ix_agents_changed on compliance.agents (changed_at)`,

  // A certificate alone authorises nothing: without its row, or with a revoked one, the door stays shut.
  `create table compliance.agent_certificates (
     serial text primary key,
     tenant_id integer not null,
     agent_id uuid not null constraint fk_agent_certificates_agent references compliance.agents,
     key_fingerprint text not null,
     issued_at timestamptz not null,
     not_before timestamptz not null,
     not_after timestamptz not null,
     first_used_at timestamptz,
     revoked_at timestamptz,
     replaces_all boolean not null
   )`,
  `create index ix_agent_certificates_agent on compliance.agent_certificates (agent_id, issued_at desc)`,
  `create index ix_agent_certificates_revoked on compliance.agent_certificates (revoked_at) where revoked_at is not null`,
  `create index ix_agent_certificates_end on compliance.agent_certificates (not_after)`,

  `create table compliance.enrollment_tokens (
     id uuid primary key,
     tenant_id integer not null constraint fk_enrollment_tokens_tenant references tenants,
     token_hash bytea not null constraint uq_enrollment_tokens_hash unique,
     created_by text not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     max_uses integer not null,
     agent_id uuid constraint fk_enrollment_tokens_agent references compliance.agents,
     labels text[] not null,
     withdrawn_at timestamptz
   )`,
  `create index ix_enrollment_tokens_tenant on compliance.enrollment_tokens (tenant_id, created_at desc)`,

  // One row a key, so that a lost answer can be given again.
  `create table compliance.enrollment_uses (
     token_id uuid not null constraint fk_enrollment_uses_token references compliance.enrollment_tokens on delete cascade,
     tenant_id integer not null,
     key_fingerprint text not null,
     agent_id uuid not null,
     used_at timestamptz not null,
     primary key (token_id, key_fingerprint)
   )`,

  // Narrow, with room in each page and no index on the time: every write stays in its page.
  `create table compliance.agent_last_seen (
     agent_id uuid primary key constraint fk_agent_last_seen_agent references compliance.agents,
     tenant_id integer not null,
     last_seen_at timestamptz,
     clock_skew_ms integer
   ) with (fillfactor = 50)`,

  // What was last announced of an agent. Whether it is online is computed, never stored.
  `create table compliance.agent_presence (
     agent_id uuid primary key constraint fk_agent_presence_agent references compliance.agents,
     tenant_id integer not null,
     announced_online boolean not null,
     announced_at timestamptz
   )`,

  // The same for all tenants: seen by the house only.
  `create table compliance.agent_authorities (
     id uuid primary key,
     certificate text not null,
     private_key bytea not null,
     created_at timestamptz not null,
     trusted_until timestamptz
   )`,
  `create unique index uq_agent_authorities_signing on compliance.agent_authorities ((trusted_until is null))
     where trusted_until is null`,
  `alter table compliance.agent_authorities enable row level security`,
  `alter table compliance.agent_authorities force row level security`,
  `create policy agent_authorities_fence on compliance.agent_authorities
     using ((select horarium_is_system())) with check ((select horarium_is_system()))`,
  `grant select, insert, update, delete on compliance.agent_authorities to horarium_app`,

  // As in the source: one row an agent, with last_seen_at. Asked under the policies of whoever asks.
  `create view compliance.remote_agents with (security_invoker = true) as
     select a.id, a.tenant_id, a.name, a.version, a.labels, a.created_at, a.disabled_at, a.suspected_clone_at,
            s.last_seen_at, s.clock_skew_ms
       from compliance.agents a
       left join compliance.agent_last_seen s on s.agent_id = a.id
      where a.deleted_at is null`,
  `grant select on compliance.remote_agents to horarium_app`,
];
