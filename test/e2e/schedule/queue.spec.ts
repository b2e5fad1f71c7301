// Queueing, sessions and import over HTTP, with real agents: what a person sees.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunEndListeners, type RunEnd } from '../../../src/agent-run';
import { AGENT } from '../../support/agents/driver-bench';
import { testApp, type Client, type TestApp } from '../../support/app';
import { RunSignals } from '../../support/run-signals';
import { title } from '../../support/schedule-cases';

let settings: string;
let house: TestApp;
let signals: RunSignals;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  settings = mkdtempSync(join(tmpdir(), 'horarium-settings-'));
  const file = join(settings, 'assistants.yaml');
  const command = (...words: string[]): string => JSON.stringify([process.execPath, AGENT, ...words]);
  writeFileSync(file, [`echo: { command: ${command('echo')} }`, `waits: { command: ${command('wait')} }`].join('\n'));
  house = await testApp({ HORARIUM_ASSISTANTS_FILE: file });
  signals = await RunSignals.of(house.database);
  [alice, bob] = await Promise.all([house.as('alice'), house.as('bob')]);
});
afterAll(async () => {
  await house.close();
  rmSync(settings, { recursive: true });
});

const TASK = {
  title: 'Report',
  prompt: 'say it',
  assistant_id: 'echo',
  schedule_type: 'cron',
  schedule_spec: { cron: '0 9 1 1 *' },
  timezone: 'UTC',
};
type Json = Record<string, unknown>;
const create = async (more: Json = {}, client = alice): Promise<Json & { id: string }> =>
  (await client.post('/api/scheduled-tasks', { ...TASK, ...more }).expect(201)).body as Json & { id: string };
const thread = async (): Promise<string> =>
  ((await alice.post('/api/threads', {}).expect(201)).body as { id: string }).id;
const ask = async (more: Json): Promise<Json & { id: string }> =>
  (await alice.post('/api/agent-runs', { prompt: 'first', assistant_id: 'waits', ...more }).expect(201))
    .body as Json & { id: string };
const runOf = async (id: unknown): Promise<Json> =>
  (await alice.get(`/api/scheduled-task-runs/${String(id)}`)).body as Json & { id: string };

/** The ends of the next so many runs on a thread. */
function ends(threadId: string, count: number): Promise<RunEnd[]> {
  return new Promise((resolve) => {
    const heard: RunEnd[] = [];
    house.app.get(RunEndListeners).subscribe({
      runEnded: (end) => {
        if (end.threadId === threadId) heard.push(end);
        if (heard.length === count) setImmediate(() => resolve(heard));
        return Promise.resolve();
      },
    });
  });
}

test('tasks that queue wait for the conversation, and are delivered in one turn, marked as scheduled', async () => {
  const thread_id = await thread();
  const first = await ask({ thread_id });
  const bound = { context_mode: 'reuse_thread', thread_id, overlap_policy: 'queue' };
  const tasks = [await create({ ...bound, prompt: 'one' }), await create({ ...bound, prompt: 'two' })];
  const waiting: Json[] = [];
  for (const { id } of tasks) {
    const { body } = await alice.post(`/api/scheduled-tasks/${id}/trigger`).expect(200);
    const again = await alice.post(`/api/scheduled-tasks/${id}/trigger`).expect(200);
    expect(again.body.task_run_id).toBe(body.task_run_id);
    expect(await runOf(body.task_run_id)).toMatchObject({ status: 'waiting', run_id: null });
    waiting.push(body);
  }
  const done = ends(thread_id, 3);
  await alice.post(`/api/agent-runs/${first.id}/cancel`).expect(200);
  await done;
  for (const { task_run_id: id } of waiting) await signals.until(String(id), 'success');
  for (const { task_run_id: id } of waiting) {
    expect(await runOf(id)).toMatchObject({ status: 'success', late_reason: 'waited', thread_id });
  }
  const { body } = await alice.get(`/api/threads/${thread_id}/messages`).expect(200);
  const said = (body as { role: string; content: string }[]).map(({ role, content }) => [role, content.trim()]);
  expect(said).toEqual([
    ['user', 'first'],
    ['user', '[Scheduled] one'],
    ['user', '[Scheduled] two'],
    ['assistant', '[Scheduled] one\n\n[Scheduled] two'],
  ]);
});

test('a task that queues no more than skips says so when its conversation is busy; pausing takes a waiting run back', async () => {
  const thread_id = await thread();
  const first = await ask({ thread_id });
  const bound = { context_mode: 'reuse_thread', thread_id };
  const skips = await create(bound);
  await alice.post(`/api/scheduled-tasks/${skips.id}/trigger`).expect(409);
  const queues = await create({ ...bound, overlap_policy: 'queue' });
  const { body } = await alice.post(`/api/scheduled-tasks/${queues.id}/trigger`).expect(200);
  await alice.post(`/api/scheduled-tasks/${queues.id}/pause`).expect(200);
  expect(await runOf(body.task_run_id)).toMatchObject({ status: 'interrupted', reason: 'task_paused' });
  await alice.post(`/api/agent-runs/${first.id}/cancel`).expect(200);
});

test('people ask agents: refused or queued on a busy thread, once for a request id, each on their own', async () => {
  const thread_id = await thread();
  const first = await ask({ thread_id });
  await alice.post('/api/agent-runs', { prompt: 'x', assistant_id: 'echo', thread_id }).expect(409);
  await bob.post('/api/agent-runs', { prompt: 'x', assistant_id: 'echo', thread_id }).expect(404);
  const body = { prompt: 'second', assistant_id: 'echo', thread_id, when_busy: 'enqueue', request_id: 'mine' };
  const queued = (await alice.post('/api/agent-runs', body).expect(201)).body;
  expect(queued).toMatchObject({ status: 'queued', started_at: null });
  expect((await alice.post('/api/agent-runs', body).expect(201)).body.id).toBe(queued.id);
  const done = ends(thread_id, 2);
  await alice.post(`/api/agent-runs/${first.id}/cancel`).expect(200);
  expect((await done).map(({ status }) => status)).toEqual(['interrupted', 'success']);
  expect((await alice.get(`/api/agent-runs/${queued.id}`)).body).toMatchObject({ status: 'success', output: 'second' });
});

describe('sessions', () => {
  const open = async (more: Json = {}): Promise<Json & { id: string }> =>
    (await alice.post('/api/agent-sessions', more).expect(201)).body as Json & { id: string };

  test('a task lives and dies with its session; everybody else’s session does not exist', async () => {
    const session = await open({ ttl_seconds: 60 });
    const task = await create({ durable: false, session_id: session.id });
    expect(task).toMatchObject({ durable: false, session_id: session.id });
    await bob.post('/api/scheduled-tasks', { ...TASK, session_id: session.id }).expect(404);
    await bob.delete(`/api/agent-sessions/${session.id}`).expect(404);
    expect((await alice.get('/api/agent-sessions')).body).toMatchObject([{ id: session.id }]);
    await alice.post(`/api/agent-sessions/${session.id}/renew`).expect(200);
    await alice.delete(`/api/agent-sessions/${session.id}`).expect(200);
    await alice.get(`/api/scheduled-tasks/${task.id}`).expect(404);
    await alice.post(`/api/agent-sessions/${session.id}/renew`).expect(404);
    await alice.post('/api/scheduled-tasks', { ...TASK, session_id: session.id }).expect(404);
  });
  test('what cannot be honoured is refused', async () => {
    await alice.post('/api/scheduled-tasks', { ...TASK, durable: false }).expect(422);
    const session = await open();
    await alice.post('/api/scheduled-tasks', { ...TASK, durable: true, session_id: session.id }).expect(422);
  });
  test(`${title('s14-17')} (the session of a process that is gone)`, async () => {
    const session = await open();
    const [bound, durable] = [await create({ session_id: session.id }), await create()];
    await house.database.admin.query(`update agent_sessions set instance_id = 'gone' where id = $1`, [session.id]);
    await house.ticker.ticked('agent-sessions');
    const look = async (): Promise<void> => {
      house.ticker.wake('agent-sessions');
      await house.ticker.ticked('agent-sessions');
    };
    await look();
    await alice.get(`/api/scheduled-tasks/${bound.id}`).expect(404);
    await alice.get(`/api/scheduled-tasks/${durable.id}`).expect(200);
  });
});

describe('import', () => {
  test.each(['list', 'object'])(`${title('s14-18')} (%s)`, async (shape) => {
    const entries = [
      { id: 'cron_000001', cron: '0 9 * * *', prompt: 'good', recurring: true, durable: true },
      { id: 'cron_000002', cron: '61 9 * * *', prompt: 'bad', recurring: true, durable: true },
      { id: 'cron_000003', cron: '0 9 */2 * *', prompt: 'other days', recurring: false, durable: true, createdAt: 1 },
      { id: 'cron_000004', prompt: 'no cron' },
      'nonsense',
    ];
    const file = shape === 'list' ? entries : { tasks: entries };
    const { body } = await alice.post('/api/scheduled-tasks/import', { file, timezone: 'Europe/Berlin' }).expect(200);
    expect(body).toMatchObject({ imported: 2, left_out: 3 });
    expect(body.entries).toMatchObject([
      { id: 'cron_000001', timezone: 'Europe/Berlin', error: null, notes: [] },
      { id: 'cron_000002', task_id: null, error: expect.stringContaining('minute') },
      { id: 'cron_000003', error: null, notes: [expect.stringContaining('2-31/2')] },
      { id: 'cron_000004', task_id: null, error: expect.stringContaining('cron') },
      { index: 4, id: null, task_id: null },
    ]);
    const once = await alice.get(`/api/scheduled-tasks/${body.entries[2].task_id}`).expect(200);
    expect(once.body).toMatchObject({ recurring: false, durable: true, prompt: 'other days' });
  });
  test('what is no such file is refused', async () => {
    await alice.post('/api/scheduled-tasks/import', { file: 'nonsense' }).expect(422);
    await alice.post('/api/scheduled-tasks/import', {}).expect(422);
  });
});
