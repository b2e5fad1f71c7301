// Test support. The sign by which a race test knows that a contender has come to the lock it is to lose or win.
import type { TestDatabase } from './database';

const BLOCKED = `
  select count(*)::integer as blocked from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves as soon as that many connections of this database wait for a lock; asks again as fast as answers come. */
export async function blockedBackends({ admin }: TestDatabase, count: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ blocked: number }>(BLOCKED);
    if ((rows[0]?.blocked ?? 0) >= count) return;
  }
}
