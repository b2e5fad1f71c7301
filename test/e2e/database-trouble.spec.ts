// What a database does to a house that is up: takes no writes any more, lets it wait for locks of others, lets no statement
// finish, is gone. Nothing is lost or doubled, health says what is wrong, and work goes on by itself when it is over.
import { Client } from 'pg';
import { testApp, type Client as Person, type TestApp } from '../support/app';
import { DatabaseProxy } from '../support/database-proxy';
import { TASK } from '../support/http';
import { RunSignals } from '../support/run-signals';

let house: TestApp;
let proxy: DatabaseProxy;
let signals: RunSignals;
let alice: Person;
let somebody: Client;

beforeAll(async () => {
  const env = { SCHEDULE_POLL_INTERVAL_SECONDS: '1' };
  house = await testApp(env, async (url) => (proxy = await DatabaseProxy.before(url)).url(url));
  signals = await RunSignals.of(house.database);
  alice = await house.as('alice');
  somebody = new Client({ connectionString: house.database.ownerUrl });
  await somebody.connect();
  await somebody.query("select set_config('app.is_super_admin', 't', false)");
});
afterAll(async () => {
  await somebody.end();
  await house.close();
  await proxy.close();
});

async function tasks(count: number): Promise<string[]> {
  const made: string[] = [];
  while (made.length < count) {
    const { status, body } = await alice.post('/api/scheduled-tasks', TASK);
    // A connection from the trouble before is given up when it is met again.
    if (status !== 503) made.push((body as { id: string }).id);
  }
  return made;
}
/** Due now; nobody is told. */
const due = (ids: string[]) =>
  somebody.query('update scheduled_task_states set next_run_at = clock_timestamp() where task_id = any ($1)', [ids]);
const succeed = (ids: string[]) => Promise.all(ids.map((id) => signals.until(id, 'success')));
const rows = async (ids: string[]): Promise<number> => {
  const asked = 'select count(*)::integer as rows from scheduled_task_runs where task_id = any ($1)';
  return (await somebody.query<{ rows: number }>(asked, [ids])).rows[0]!.rows;
};
const health = async (check: string): Promise<{ status: string; message?: string }> => {
  const { body } = await alice.get('/health/ready');
  return (body as { checks: Record<string, { status: string; message?: string }> }).checks[check]!;
};
/** Until health says so: it looks by itself, and keeps an answer for half a second. */
async function healthSays(check: string, status: string): Promise<string> {
  for (;;) {
    const reading = await health(check);
    if (reading.status === status) return reading.message ?? '';
  }
}

test('a failover to a database that takes no writes: said, and over with the next connections', async () => {
  const ids = await tasks(3);
  const { name, admin } = house.database;
  await admin.query(`alter database "${name}" set default_transaction_read_only = on`);
  proxy.cutOpenLines();
  expect(await healthSays('database', 'fail')).toMatch('takes no writes');
  expect((await alice.post('/api/scheduled-tasks', TASK)).status).toBe(503);
  await due(ids);
  await admin.query(`alter database "${name}" reset default_transaction_read_only`);
  // No line is cut: those that lead to what may only read are given up by the house itself.
  await succeed(ids);
  await healthSays('database', 'ok');
  expect(await rows(ids)).toBe(3);
});

test('an idle transaction of somebody else holds one task: the others start, and that one when it is let go', async () => {
  const [held, ...free] = await tasks(4);
  await somebody.query('begin');
  await somebody.query('select from scheduled_task_states where task_id = $1 for update', [held]);
  const { admin } = house.database;
  const all = [held!, ...free];
  await admin.query('update scheduled_task_states set next_run_at = clock_timestamp() where task_id = any ($1)', [
    free,
  ]);
  await succeed(free);
  expect(await rows([held!])).toBe(0);
  await somebody.query('rollback');
  await due([held!]);
  await succeed([held!]);
  expect(await rows(all)).toBe(4);
});

test('every connection waits for somebody else: refused with 503 or answered later, and work goes on', async () => {
  const ids = await tasks(3);
  await due(ids);
  await somebody.query('begin');
  await somebody.query('lock table scheduled_task_states, scheduled_tasks in access exclusive mode');
  const asked = Array.from({ length: 30 }, () => alice.get('/api/scheduled-tasks'));
  const answers = await Promise.all(asked);
  // Ten connections, each of which waits for 5 s, as does whoever waits for one of them.
  expect(answers.map(({ status }) => status).filter((status) => status >= 500).length).toBeGreaterThan(0);
  expect((await alice.get('/health/live')).status).toBe(200);
  await somebody.query('rollback');
  await succeed(ids);
  expect((await alice.get('/api/scheduled-tasks')).status).toBe(200);
});

test('no statement may take as long as it takes: nothing starts, and everything does afterwards', async () => {
  const ids = await tasks(3);
  const login = new URL(house.database.url).username;
  await somebody.query(`create function slowly() returns trigger language plpgsql as
    $$ begin perform pg_sleep(60); return new; end $$`);
  await somebody.query(
    'create trigger slowly before insert on scheduled_task_runs for each row execute function slowly()',
  );
  await due(ids);
  // As the server does at the end of statement_timeout.
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
                   where usename = $1 and datname = current_database() and wait_event = 'PgSleep'`;
  for (let cancelled = 0; cancelled < 2;) cancelled += (await somebody.query(cancel, [login])).rowCount ?? 0;
  await somebody.query('drop trigger slowly on scheduled_task_runs');
  await somebody.query(cancel, [login]);
  await succeed(ids);
  expect(await rows(ids)).toBe(3);
});

test('gone, and back: what became due meanwhile starts, once each', async () => {
  const ids = await tasks(5);
  proxy.refuseNewLines(true);
  proxy.cutOpenLines();
  await healthSays('database', 'fail');
  await due(ids);
  proxy.refuseNewLines(false);
  await succeed(ids);
  await healthSays('wake_channel', 'ok');
  expect(await rows(ids)).toBe(5);
});
