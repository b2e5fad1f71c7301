// Two fences around what belongs to somebody: statements that name the actor, and policies of the tables. Each is tried
// alone: a statement that names nobody, and the statements without the policies.
import { systemActor, type UserActor } from '../../../src/kernel/actor';
import { SqlRunRepository } from '../../../src/schedule/outbound/sql-run-repository';
import { SqlTaskRepository } from '../../../src/schedule/outbound/sql-task-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { aRun, aTask, NOON, OWNER } from '../../support/schedule-builders';
import { ScheduleTables } from '../../support/schedule-tables';

const TABLES = ['scheduled_tasks', 'scheduled_task_states', 'scheduled_task_runs'] as const;
const ALICE: UserActor = { type: 'user', roles: ['user'], ...OWNER };
const STRANGERS: readonly [string, UserActor][] = [
  ['another user', { ...ALICE, userId: 'bob' }],
  ['the same user id in another tenant', { ...ALICE, tenantId: 2 }],
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const is = await ScheduleTables.in(database);
  await is.put(aTask());
  await is.putRun(aRun());
});
afterAll(() => database.close());

const count = async (actor: UserActor | ReturnType<typeof systemActor>, table: string): Promise<number> => {
  const rows = await database.sessions.run(actor, (tx) => tx.query(`select from ${table}`));
  return rows.length;
};

describe.each(TABLES)('the policy of %s', (table) => {
  test('shows the owner their own, and the house everything', async () => {
    expect(await count(ALICE, table)).toBe(1);
    expect(await count(systemActor('test'), table)).toBe(1);
  });
  test.each(STRANGERS)('shows %s nothing and lets them change nothing', async (_who, stranger) => {
    expect(await count(stranger, table)).toBe(0);
    const changed = await database.sessions.run(stranger, (tx) =>
      tx.query(`update ${table} set user_id = user_id returning 1`),
    );
    const deleted = await database.sessions.run(stranger, (tx) => tx.query(`delete from ${table} returning 1`));
    expect([...changed, ...deleted]).toEqual([]);
    expect(await count(ALICE, table)).toBe(1);
  });
  test.each(STRANGERS)('lets nobody hand a row to %s', async (_who, { tenantId, userId }) => {
    const giving = database.sessions.run(ALICE, (tx) =>
      tx.query(`update ${table} set tenant_id = $1, user_id = $2`, [tenantId, userId]),
    );
    await expect(giving).rejects.toThrow(/row-level security/);
  });
});

describe('without the policies', () => {
  beforeAll(async () => {
    for (const table of TABLES) await database.admin.query(`alter table ${table} disable row level security`);
  });
  test.each(STRANGERS)('the statements still keep %s out', async (_who, stranger) => {
    const tasks = new SqlTaskRepository(database.sessions);
    const runs = new SqlRunRepository(database.sessions);
    const page = { limit: 10, offset: 0 };
    expect(await tasks.find(stranger, 'task-1')).toBeNull();
    expect(await tasks.findStored(stranger, 'task-1')).toBeNull();
    expect(await tasks.list(stranger, {}, page)).toEqual([]);
    expect(await tasks.save(stranger, aTask().pause(NOON))).toBe(false);
    expect(await tasks.discard(stranger, 'task-1', NOON)).toBe(false);
    expect(await runs.find(stranger, 'task-run-1')).toBeNull();
    expect(await runs.list(stranger, {}, page)).toEqual([]);
    expect(await runs.list(stranger, { taskId: 'task-1' }, page)).toEqual([]);
  });
});
