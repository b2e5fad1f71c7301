// Test support. The sign by which a race test knows that a contender has come to the lock it is to lose or win.
import type { TestDatabase } from './database';

// Not wait_event_type: of other roles' sessions only a superuser sees it, and the tests' own role need not be one.
const BLOCKED = `
  select count(distinct l.pid)::integer as blocked
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where a.datname = current_database() and not l.granted`;

/** Resolves as soon as that many connections of this database wait for a lock; asks again as fast as answers come. */
export async function blockedBackends({ admin }: TestDatabase, count: number): Promise<void> {
  for (;;) {
    // Inside a transaction of the test's own, the list of sessions would stay as it was at its first look.
    await admin.query('select pg_stat_clear_snapshot()');
    const { rows } = await admin.query<{ blocked: number }>(BLOCKED);
    if ((rows[0]?.blocked ?? 0) >= count) return;
  }
}
