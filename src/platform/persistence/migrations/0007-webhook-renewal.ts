// Platform, persistence. Push channels of Google Drive. Owned by src/webhook-renewal. The two views show a connection with
// its channel under the names that one table had before channels got rows of their own.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fenceTenantTable } from './tenant-table';

export class WebhookRenewal1764460800007 implements MigrationInterface {
  readonly name = 'WebhookRenewal1764460800007';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await fenceTenantTable(runner, 'drive_channels', 'tenant');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const STATEMENTS = [
  // One row for each channel that ever was asked for: a new one is there before the old one is stopped. The token is kept
  // as a hash; the row is committed before Drive is asked, since its first message may come before its answer.
  `create table drive_channels (
     id uuid primary key,
     tenant_id integer not null constraint fk_drive_channels_tenant references tenants,
     generation integer not null,
     drive_id text,
     token_hash bytea not null,
     resource_id text,
     state text not null constraint ck_drive_channels_state
       check (state in ('creating', 'active', 'stopped', 'failed')),
     expires_at timestamptz not null,
     messages integer not null default 0,
     last_message_at timestamptz,
     last_error text,
     created_at timestamptz not null,
     stopped_at timestamptz
   )`,
  `create index ix_drive_channels_tenant on drive_channels (tenant_id, created_at desc)`,
  `create index ix_drive_channels_open on drive_channels (expires_at) where state in ('creating', 'active')`,

  // Row-level security is that of whoever asks (security_invoker), as for the tables beneath.
  `create view tenant_google_drive_integrations with (security_invoker = true) as
   select i.tenant_id, i.status, i.account_email as google_account_email, i.drive_id as shared_drive_id, i.root_folder_id,
          i.page_token as start_page_token, c.id::text as webhook_channel_id, c.resource_id as webhook_resource_id,
          c.expires_at as webhook_expiration, i.last_sync_at, i.last_error, i.connected_by, i.connected_at,
          i.created_at, i.updated_at
     from tenant_drive_integrations i
     left join lateral (select * from drive_channels c
                         where c.tenant_id = i.tenant_id and c.state = 'active'
                         order by c.expires_at desc limit 1) c on true`,
  `grant select on tenant_google_drive_integrations to horarium_app`,
];
