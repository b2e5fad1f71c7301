// Several processes find the budget starved at once: each tenant is told once, and again when it lasts.
// Seen red: a note that is read first and written afterwards tells it twice.
import { systemActor } from '../../../src/kernel/actor';
import { SqlStarvationNotices } from '../../../src/schedule/outbound/sql-starvation-notices';
import { SqlTaskRepository } from '../../../src/schedule/outbound/sql-task-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { aTask, at, NOON } from '../../support/schedule-builders';

const ORDER = { now: NOON, dueBefore: at('2026-07-27T11:59:00Z'), notToldSince: at('2026-07-27T11:00:00Z') };

let db: TestDatabase;
let notices: SqlStarvationNotices;

beforeAll(async () => {
  db = await testDatabase({ poolSize: 10 });
  notices = new SqlStarvationNotices(db.sessions);
  await db.admin.query("insert into tenants (name, created_at) values ('second', now())");
  const tasks = new SqlTaskRepository(db.sessions);
  for (const [id, tenantId, due] of [
    ['task-1', 1, '2026-07-27T11:30:00Z'],
    ['task-2', 1, '2026-07-27T11:58:00Z'],
    ['task-3', 1, '2026-07-27T11:59:30Z'],
    ['task-4', 2, '2026-07-27T11:59:30Z'],
  ] as const) {
    const task = aTask({ id, owner: { tenantId, userId: 'alice' } });
    await tasks.add(systemActor('test'), task);
    await db.admin.query('update scheduled_task_states set next_run_at = $2 where task_id = $1', [id, due]);
  }
});
afterAll(() => db.close());

const told = async (): Promise<unknown[]> =>
  (
    await db.admin.query<object>(
      "select tenant_id, payload from outbox_events where type = 'budget.starved' order by id",
    )
  ).rows;

test('those whose tasks have waited are told once, with how many', async () => {
  const counts = await Promise.all(Array.from({ length: 8 }, () => notices.tell(ORDER)));
  expect(counts.sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  expect(await told()).toEqual([{ tenant_id: 1, payload: { waiting: 2, oldest_due_at: '2026-07-27T11:30:00.000Z' } }]);
});

test('and again after an hour, also those that wait by now', async () => {
  const now = at('2026-07-27T13:00:00Z');
  const later = { now, dueBefore: at('2026-07-27T12:59:00Z'), notToldSince: NOON };
  expect(await notices.tell({ ...later, notToldSince: at('2026-07-27T11:59:59Z') })).toBe(1);
  expect(await notices.tell(later)).toBe(1);
  expect(await notices.tell(later)).toBe(0);
  expect(await told()).toHaveLength(3);
});
