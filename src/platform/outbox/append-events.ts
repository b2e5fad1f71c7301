// Platform, outbox. Writes events within the transaction of the fact that they tell of: both are there, or neither.
import type { Tx } from '../persistence/sessions';
import type { NewEvent } from './outbox-event';

/** The row of the timetable that delivers, and the topic of its wake-up. */
export const OUTBOX_RELAY = 'outbox-relay';

const APPEND = `
  insert into outbox_events (tenant_id, type, payload, occurred_at)
  select * from unnest($1::integer[], $2::text[], $3::jsonb[], $4::timestamptz[])`;

/** The same as a part of another statement (`with told as (…)`): one event, whose values are the parameters from `$first` on. */
export const appendingOne = (first: number): string => `
    insert into outbox_events (tenant_id, type, payload, occurred_at)
    values ($${first}, $${first + 1}, $${first + 2}, $${first + 3})`;

/** Its values. The relay is woken after the commit. */
export function valuesOf(tx: Tx, { tenantId, type, payload, occurredAt }: NewEvent): unknown[] {
  tx.wakeAfterCommit(OUTBOX_RELAY);
  return [tenantId, type, JSON.stringify(payload), occurredAt];
}

/**
 * One statement for all of them. Call it after the statements that change what the events are about: then events about
 * one row are delivered in the order of its changes. The relay is woken after the commit.
 */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(APPEND, [
    events.map(({ tenantId }) => tenantId),
    events.map(({ type }) => type),
    events.map(({ payload }) => JSON.stringify(payload)),
    events.map(({ occurredAt }) => occurredAt),
  ]);
  tx.wakeAfterCommit(OUTBOX_RELAY);
}
