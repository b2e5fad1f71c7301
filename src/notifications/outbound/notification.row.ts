// Outbound. Rows of table notifications, both ways.
import type { Notification } from '../domain/notification';

export interface NotificationRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly room: string;
  readonly seq: string;
  readonly kind: string;
  readonly title: string;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
  readonly read_at?: Date | null;
}

export const NOTIFICATION_COLUMNS = 'n.id, n.tenant_id, n.room, n.seq, n.kind, n.title, n.data, n.created_at';

export function toNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    room: row.room,
    seq: Number(row.seq),
    kind: row.kind,
    title: row.title,
    data: row.data,
    createdAt: row.created_at,
    readAt: row.read_at ?? null,
  };
}
