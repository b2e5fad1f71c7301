// Outbound. Rows of table webhook_deliveries.
import type { Delivery, DeliveryState } from '../domain/delivery';

export interface DeliveryRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly endpoint_id: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly occurred_at: Date;
  readonly state: string;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly give_up_at: Date | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_answer: string | null;
  readonly last_duration_ms: number | null;
}

export const DELIVERY_COLUMNS =
  'id, tenant_id, endpoint_id, type, payload, occurred_at, state, attempts, next_attempt_at, give_up_at, created_at, ' +
  'ended_at, last_status, last_error, last_answer, last_duration_ms';

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    type: row.type,
    payload: row.payload,
    occurredAt: row.occurred_at,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    giveUpAt: row.give_up_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    lastAnswer: row.last_answer,
    lastDurationMs: row.last_duration_ms,
  };
}
