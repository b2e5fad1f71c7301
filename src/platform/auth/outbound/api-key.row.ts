// Auth, outbound. Table api_keys, column by column.
import type { ApiKey } from '../domain/api-key';
import { knownRoles } from '../domain/identity';

export interface ApiKeyRow {
  id: string;
  tenant_id: number;
  user_id: string;
  name: string;
  roles: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Without the hash, which nobody needs to read. */
export const API_KEY_COLUMNS = 'id, tenant_id, user_id, name, roles, created_at, expires_at, last_used_at, revoked_at';

export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    name: row.name,
    roles: knownRoles(row.roles),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
