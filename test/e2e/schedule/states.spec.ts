// The doors of schedule when the house itself is in the way: no place left, a row that makes no task, a database that is
// away, a stop.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, TestApp } from '../../support/app';
import { testApp } from '../../support/app';
import { appears } from '../../support/agents/appears';
import { assistantsFile } from '../../support/agents/assistants-file';
import { DatabaseProxy } from '../../support/database-proxy';
import { everythingStored, expectProblem, TASK } from '../../support/http';
import { RunSignals } from '../../support/run-signals';
import { title } from '../../support/schedule-cases';
import { SCHEDULE_POLLER } from '../../../src/scheduler/timetable';

const TASKS = '/api/scheduled-tasks';
type Body = Record<string, unknown>;
const folder = mkdtempSync(join(tmpdir(), 'horarium-states-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('with one place for runs', () => {
  let house: TestApp;
  let alice: Client;
  let signals: RunSignals;
  beforeAll(async () => {
    const file = assistantsFile(folder, { waiting: { behaviour: ['wait'] } });
    house = await testApp({ HORARIUM_ASSISTANTS_FILE: file, SCHEDULE_MAX_CONCURRENT_RUNS: '1' });
    alice = await house.as('alice');
    signals = await RunSignals.of(house.database);
  });
  afterAll(() => house.close());

  const create = async (changes: object = {}): Promise<string> =>
    (await alice.post(TASKS, { ...TASK, ...changes })).body.id as string;
  const task = async (id: string) => (await alice.get(`${TASKS}/${id}`)).body as Body;
  async function look(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const looked = house.ticker.ticked(SCHEDULE_POLLER);
      house.ticker.wake(SCHEDULE_POLLER);
      await looked;
    }
  }
  // A while ago: the house's clock may be a little behind the database's.
  const becomesDue = (id: string) =>
    house.database.admin.query(
      `update scheduled_task_states set next_run_at = now() - interval '10 s' where task_id = $1`,
      [id],
    );

  it('a trigger is refused while it is taken, by whomever, and due tasks wait for it', async () => {
    const bob = await house.as('bob', { tenantId: await house.tenant('another') });
    const first = await alice.post(`${TASKS}/${await create({ assistant_id: 'waiting' })}/trigger`);
    const { thread_id, run_id } = (await alice.get(`/api/scheduled-task-runs/${first.body.task_run_id}`)).body as Body;
    await appears(join(house.dataDir, 'agents', String(thread_id), 'ready'));

    const id = await create({ prompt: 'Echo: my turn' });
    const theirs = (await bob.post(TASKS, TASK)).body.id as string;
    const before = await everythingStored(house.database);
    const full = { status: 429, code: 'schedule.budget-full', detail: /All 1 places .*nothing was started/s };
    expectProblem(await alice.post(`${TASKS}/${id}/trigger`), full);
    expectProblem(await bob.post(`${TASKS}/${theirs}/trigger`), full);
    expect(await everythingStored(house.database)).toEqual(before);

    await becomesDue(id);
    await look();
    expect((await alice.get(`${TASKS}/${id}/runs`)).body).toEqual([]);
    expect(await task(id)).toMatchObject({ status: 'enabled', run_count: 0 });

    // The end of the first frees the place, and the one that waits gets it without being asked for.
    await alice.post(`/api/agent-runs/${String(run_id)}/cancel`);
    await signals.until(id, 'success');
    expect(await task(id)).toMatchObject({ run_count: 1, missed_occurrences: 0 });
    expect((await bob.post(`${TASKS}/${theirs}/trigger`)).status).toBe(200);
    await signals.until(theirs, 'success');
  });

  it('a once task whose moment passed while it was paused is not resumed', async () => {
    const id = await create({ schedule_type: 'once', schedule_spec: { delay_seconds: 600 } });
    await alice.post(`${TASKS}/${id}/pause`);
    await house.database.admin.query(
      `update scheduled_tasks set schedule_spec = '{"run_at": "2026-01-01T00:00:00+01:00"}' where id = $1`,
      [id],
    );
    const before = await everythingStored(house.database);
    expectProblem(await alice.post(`${TASKS}/${id}/resume`), { status: 409, code: 'schedule.moment-passed' });
    expect(await everythingStored(house.database)).toEqual(before);
  });

  describe('a row that makes no task', () => {
    const SPOILED: [string, string][] = [
      ['a cron that is none', `schedule_spec = '{"cron": "every day"}'`],
      ['a schedule of another shape', `schedule_spec = '[1, 2]'`],
      ['a type nobody knows', `schedule_type = 'sometimes'`],
      ['a zone that is gone', `timezone = 'Mars/Olympus'`],
      ['a mode nobody knows', `context_mode = 'dream'`],
      ['a mode without its thread', `context_mode = 'reuse_thread'`],
    ];
    const spoil = (id: string, how: string) =>
      house.database.admin.query(`update scheduled_tasks set ${how} where id = $1`, [id]);
    const corrupt = { status: 500, code: 'schedule.task-corrupt', detail: /Repair it with a PATCH/ };
    const WHOLE = { schedule_spec: { cron: '0 7 * * *' }, timezone: 'UTC' };

    test(title('corrupt-03'), async () => {
      const healthy = await create({ title: 'healthy' });
      const id = await create({ title: 'spoiled' });
      await spoil(id, SPOILED[0]![1]);
      const listed = await alice.get(TASKS);
      expect(listed.status).toBe(200);
      const ids = (listed.body as Body[]).map((one) => one['id']);
      expect([ids.includes(healthy), ids.includes(id)]).toEqual([true, false]);
      expect(house.log.some((line) => line.includes(id) && line.includes('cannot be read'))).toBe(true);
    });

    test.each(SPOILED)('%s: says so alone, changes nothing by half, and a whole schedule mends it', async (_, how) => {
      const id = await create({ title: 'spoiled' });
      await spoil(id, how);
      const before = await everythingStored(house.database);
      for (const answer of [
        await alice.get(`${TASKS}/${id}`),
        await alice.post(`${TASKS}/${id}/pause`),
        await alice.post(`${TASKS}/${id}/resume`),
        await alice.post(`${TASKS}/${id}/trigger`),
        await alice.post(`${TASKS}/${id}/duplicate`, {}),
        await alice.patch(`${TASKS}/${id}`, { title: 'x' }),
        await alice.patch(`${TASKS}/${id}`, { schedule_spec: WHOLE.schedule_spec }),
      ])
        expectProblem(answer, corrupt);
      expect((await alice.get(`${TASKS}/${id}/runs`)).body).toEqual([]);
      const type = how.startsWith('schedule_type') ? { schedule_type: 'cron' } : {};
      const bad = { ...WHOLE, ...type, schedule_spec: { cron: 'x' } };
      const refused = { status: 422, code: 'schedule.invalid-cron', field: 'schedule_spec.cron' };
      expectProblem(await alice.patch(`${TASKS}/${id}`, bad), refused);
      expect(await everythingStored(house.database)).toEqual(before);

      const unbound = how.includes('reuse_thread') ? { context_mode: 'fresh_thread_per_run' } : {};
      const mended = await alice.patch(`${TASKS}/${id}`, { ...WHOLE, ...type, ...unbound });
      expect([mended.status, mended.body.schedule_spec]).toEqual([200, WHOLE.schedule_spec]);
      expect(await task(id)).toMatchObject({ title: 'spoiled', status: 'enabled', timezone: 'UTC' });
    });

    it('when it is due it is marked failed, once, and takes no place', async () => {
      const id = await create();
      await spoil(id, SPOILED[0]![1]);
      await becomesDue(id);
      await look();
      const { rows } = await house.database.admin.query<Body>(
        'select * from scheduled_task_states where task_id = $1',
        [id],
      );
      expect(rows[0]).toMatchObject({ status: 'failed', next_run_at: null, run_count: 0, lease_owner: null });
      expect(rows[0]!['last_error']).toMatch(/cannot be read/);
    });

    it('and somebody else’s does not exist', async () => {
      const id = await create();
      await spoil(id, SPOILED[0]![1]);
      const bob = await house.as('bob');
      for (const answer of [
        await bob.get(`${TASKS}/${id}`),
        await bob.patch(`${TASKS}/${id}`, WHOLE),
        await bob.post(`${TASKS}/${id}/trigger`),
        await bob.delete(`${TASKS}/${id}`),
      ])
        expectProblem(answer, { status: 404, code: 'schedule.task-not-found' });
    });

    it.each(SPOILED)('%s: can be deleted', async (_, how) => {
      const id = await create();
      await spoil(id, how);
      const answer = await alice.delete(`${TASKS}/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { id, deleted: true }]);
      expectProblem(await alice.get(`${TASKS}/${id}`), { status: 404, code: 'schedule.task-not-found' });
      expect((await alice.delete(`${TASKS}/${id}`)).status).toBe(404);
    });
  });
});

// There is no storage in memory here that tasks could be refused for; what the case asks for is asked of the database.
describe(title('wire-08'), () => {
  it('the database is away: 503 and when to come back; nothing else is said; it comes back', async () => {
    let proxy: DatabaseProxy | undefined;
    const house = await testApp({}, async (url) => {
      proxy = await DatabaseProxy.before(url);
      return proxy.url(url);
    });
    try {
      const alice = await house.as('alice');
      const { id } = (await alice.post(TASKS, TASK)).body as { id: string };
      const before = await everythingStored(house.database);
      await proxy!.close();
      for (const answer of [
        await alice.get(TASKS),
        await alice.post(TASKS, TASK),
        await alice.get(`${TASKS}/${id}`),
        await alice.patch(`${TASKS}/${id}`, { title: 'x' }),
        await alice.post(`${TASKS}/${id}/trigger`),
        await alice.get('/api/scheduled-task-runs'),
        await alice.post('/api/threads', {}),
      ]) {
        expectProblem(answer, { status: 503, code: 'platform.database-unavailable' });
        expect(answer.headers['retry-after']).toBe('5');
        expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres/);
      }
      expect((await alice.get('/health/live')).status).toBe(200);
      expect((await alice.get('/health/ready')).status).toBe(503);
      expect(await everythingStored(house.database)).toEqual(before);
    } finally {
      await house.close();
    }
  });
});

test(title('startup-08'), async () => {
  const house = await testApp({ SCHEDULE_POLL_INTERVAL_SECONDS: '300', SCHEDULE_LEASE_SECONDS: '600' });
  const begun = performance.now();
  await house.close();
  expect(performance.now() - begun).toBeLessThan(30_000);
});
