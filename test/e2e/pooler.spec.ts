// Two houses behind a pooler in transaction mode: no session is anybody's own. Everything works, wakes are found by polling, and
// nothing is left on the connections that they share.
import { Logger } from '@nestjs/common';
import { runMigrations } from '../../src/platform/persistence/run-migrations';
import { testApp, type TestApp } from '../support/app';
import { testDatabase, type TestDatabase } from '../support/database';
import { TASK } from '../support/http';
import { RunSignals } from '../support/run-signals';
import { TransactionPooler } from '../support/transaction-pooler';

const ENV = { SCHEDULE_POLL_INTERVAL_SECONDS: '1' };
let database: TestDatabase;
let pooler: TransactionPooler;
let houses: TestApp[];
let signals: RunSignals;

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  database = await testDatabase();
  pooler = await TransactionPooler.before(database.url, 4);
  signals = await RunSignals.of(database);
  const through = (url: string): Promise<string> => Promise.resolve(pooler.url(url));
  houses = [await testApp(ENV, through, database), await testApp(ENV, through, database)];
});
afterAll(async () => {
  for (const house of houses) await house.close();
  await pooler.close();
  await database.close();
});

test('tasks made at one house run, wherever they are claimed; a trigger runs at once', async () => {
  const [alice, bob] = [await houses[0]!.as('alice'), await houses[1]!.as('bob')];
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, nr) => (nr % 2 === 0 ? alice : bob).post('/api/scheduled-tasks', TASK)),
  );
  expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
  const ids = made.map(({ body }) => (body as { id: string }).id);
  // Nobody is told.
  await database.admin.query('update scheduled_task_states set next_run_at = now() where task_id = any ($1)', [ids]);
  const ends = await Promise.all(ids.map((id) => signals.until(id, 'success', 'failed', 'interrupted', 'skipped')));
  expect(ends.map(({ status }) => status)).toEqual(Array(20).fill('success'));

  const { id } = (await alice.post('/api/scheduled-tasks', TASK)).body as { id: string };
  expect((await alice.post(`/api/scheduled-tasks/${id}/trigger`)).status).toBeLessThan(300);
  await signals.until(id, 'success');
  expect(pooler.changes).toBeGreaterThan(20);
});

test('health says that wakes are found by polling; both processes are known, without a session of their own', async () => {
  const alice = await houses[0]!.as('alice');
  const { body } = await alice.get('/health/ready');
  expect(body).toMatchObject({ status: 'warn', checks: { wake_channel: { status: 'warn', state: 'deaf' } } });
  const { rows } = await database.admin.query('select session_key from instances where stopped_at is null');
  expect(rows).toEqual([{ session_key: null }, { session_key: null }]);
});

test('migrations go through it, two at once, and hold no lock afterwards', async () => {
  const owners = await TransactionPooler.before(database.ownerUrl, 4);
  try {
    const url = owners.url(database.ownerUrl);
    expect(await Promise.all([runMigrations(url), runMigrations(url)])).toEqual([[], []]);
    for (const state of await owners.leftOnSessions()) expect(state).toMatchObject({ locks: 0, prepared: 0 });
  } finally {
    await owners.close();
  }
});

test('nothing is left on the shared connections', async () => {
  for (const house of houses) await house.close();
  houses = [];
  const clean = { role: 'none', is_super_admin: null, user_id: null, locks: 0, prepared: 0, channels: 0 };
  for (const state of await pooler.leftOnSessions()) expect(state).toMatchObject(clean);
});
