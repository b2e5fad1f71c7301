// Outbound. Rows of table webhook_endpoints.
import type { Endpoint, Target } from '../domain/endpoint';

export interface EndpointRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly name: string;
  readonly target: string;
  readonly url: string;
  readonly event_types: string[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  readonly previous_secret_until: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const ENDPOINT_COLUMNS =
  'id, tenant_id, name, target, url, event_types, enabled, disabled_reason, failing_since, previous_secret_until, ' +
  'created_by, created_at, updated_at';

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    target: row.target as Target,
    url: row.url,
    eventTypes: row.event_types,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    previousSecretUntil: row.previous_secret_until,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
