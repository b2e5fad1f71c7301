// Outbound. The stored shape of a connection, and where its sealed values are.
import type { Integration, IntegrationStatus } from '../domain/integration';

export const REFRESH_TOKEN = { table: 'tenant_drive_integrations', column: 'refresh_token', key: 'tenant_id' } as const;
/** Of an hour and of ten minutes: not worth moving to a new key. */
export const ACCESS_TOKEN = { table: 'tenant_drive_integrations', column: 'access_token', key: 'tenant_id' } as const;
export const VERIFIER = { table: 'drive_consents', column: 'verifier', key: 'state_hash' } as const;

export interface IntegrationRow {
  readonly tenant_id: number;
  readonly status: IntegrationStatus;
  readonly generation: number;
  readonly account_email: string | null;
  readonly drive_id: string | null;
  readonly root_folder_id: string | null;
  readonly page_token: string | null;
  readonly slow_until: Date | null;
  readonly slow_steps: number;
  readonly last_sync_at: Date | null;
  readonly last_error: string | null;
  readonly connected_by: string | null;
  readonly connected_at: Date | null;
}

/** Never the tokens. */
export const INTEGRATION_COLUMNS = `i.tenant_id, i.status, i.generation, i.account_email, i.drive_id, i.root_folder_id,
         i.page_token, i.slow_until, i.slow_steps, i.last_sync_at, i.last_error, i.connected_by, i.connected_at`;

export function toIntegration(row: IntegrationRow): Integration {
  return {
    tenantId: row.tenant_id,
    status: row.status,
    generation: row.generation,
    accountEmail: row.account_email,
    driveId: row.drive_id,
    rootFolderId: row.root_folder_id,
    pageToken: row.page_token,
    slowUntil: row.slow_until,
    slowSteps: row.slow_steps,
    lastSyncAt: row.last_sync_at,
    lastError: row.last_error,
    connectedBy: row.connected_by,
    connectedAt: row.connected_at,
  };
}
