// What becomes of a task is an event in the transaction of the change: for webhooks, and for whoever else listens.
import { systemActor, type UserActor } from '../../../src/kernel/actor';
import { SqlTaskRepository } from '../../../src/schedule/outbound/sql-task-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { aTask, at, created, NOON, OWNER, POLICY } from '../../support/schedule-builders';

const ALICE: UserActor = { type: 'user', roles: ['user'], ...OWNER };
const LATER = at('2026-07-27T12:30:00Z');

let db: TestDatabase;
let tasks: SqlTaskRepository;

beforeAll(async () => {
  db = await testDatabase();
  tasks = new SqlTaskRepository(db.sessions);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.admin.query('truncate scheduled_tasks, scheduled_task_states, outbox_events cascade');
  await tasks.add(ALICE, created());
});

const told = async (): Promise<unknown[]> =>
  (
    await db.admin.query<object>('select tenant_id, type, payload, occurred_at from outbox_events order by id')
  ).rows.slice(1);

test('a new task', async () => {
  const { rows } = await db.admin.query('select tenant_id, type, payload, occurred_at from outbox_events');
  const { title, nextRunAt } = created();
  expect(rows).toEqual([
    {
      ...{ tenant_id: OWNER.tenantId, type: 'task.created', occurred_at: NOON },
      payload: {
        ...{ task_id: 'task-1', task_title: title, user_id: OWNER.userId, assistant_id: expect.any(String) },
        ...{ schedule_type: 'cron', status: 'enabled', next_run_at: nextRunAt?.toISOString() },
      },
    },
  ]);
});

test('an edit, and its end', async () => {
  const task = (await tasks.find(ALICE, 'task-1'))!;
  await tasks.save(ALICE, task.edit({ title: 'Evening report' }, POLICY, LATER));
  await tasks.save(ALICE, (await tasks.find(ALICE, 'task-1'))!.delete(LATER));
  expect(await told()).toMatchObject([
    { type: 'task.updated', payload: { task_id: 'task-1', task_title: 'Evening report' }, occurred_at: LATER },
    { type: 'task.deleted', payload: { task_id: 'task-1', task_title: 'Evening report' }, occurred_at: LATER },
  ]);
});

test('one that cannot be read is told as deleted, too', async () => {
  await db.admin.query(`update scheduled_tasks set schedule_spec = '{"cron": "nonsense"}'`);
  await tasks.discard(ALICE, 'task-1', LATER);
  expect(await told()).toMatchObject([{ type: 'task.deleted', payload: { task_id: 'task-1' }, occurred_at: LATER }]);
});

test('nothing of an edit that came too late, nor of what the house does by itself', async () => {
  const stale = aTask({ version: 7 }).edit({ title: 'Another' }, POLICY, LATER);
  expect(await tasks.save(ALICE, stale)).toBe(false);
  const task = (await tasks.find(ALICE, 'task-1'))!;
  expect(await tasks.save(systemActor('test'), task.edit({ title: 'Another' }, POLICY, LATER))).toBe(true);
  expect(await told()).toEqual([]);
});
