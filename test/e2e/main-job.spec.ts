// The main job from door to door: a person registers a task, a real program gets the prompt when the moment has come, and
// what happened can be read. Nothing of the house is replaced; only next_run_at is set, so that nobody has to wait.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, TestApp } from '../support/app';
import { testApp } from '../support/app';
import { appears } from '../support/agents/appears';
import { assistantsFile } from '../support/agents/assistants-file';
import { expectProblem, TASK } from '../support/http';
import { RunSignals } from '../support/run-signals';
import { SCHEDULE_POLLER } from '../../src/scheduler/timetable';

let house: TestApp;
let alice: Client;
let signals: RunSignals;
const folder = mkdtempSync(join(tmpdir(), 'horarium-main-job-'));

beforeAll(async () => {
  const file = assistantsFile(folder, {
    teller: { behaviour: ['tell'], env: ['MODE=test'] },
    pointed: { behaviour: ['tell', 'no-stdin', '{prompt}'] },
    failing: { behaviour: ['exit', '3'] },
    waiting: { behaviour: ['wait'] },
    slow: { behaviour: ['wait'], timeout_seconds: 1 },
    chatty: { behaviour: ['flood', '3000'], output_limit_bytes: 1024 },
    absent: { command: ['/no/such/program'] },
  });
  house = await testApp({ HORARIUM_ASSISTANTS_FILE: file });
  alice = await house.as('alice');
  signals = await RunSignals.of(house.database);
});
afterAll(async () => {
  await house.close();
  rmSync(folder, { recursive: true, force: true });
});

type Body = Record<string, unknown>;
const TASKS = '/api/scheduled-tasks';
const ONCE = { schedule_type: 'once', schedule_spec: { delay_seconds: 86_400 } };
const get = async (path: string): Promise<Body> => {
  const answer = await alice.get(path);
  expect(answer.status).toBe(200);
  return answer.body as Body;
};
const create = async (changes: object = {}): Promise<string> => {
  const answer = await alice.post(TASKS, { ...TASK, ...changes });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
};
const task = (id: string) => get(`${TASKS}/${id}`);
const history = async (id: string) => (await get(`${TASKS}/${id}/runs`)) as unknown as Body[];
const agentRun = (run: Body) => get(`/api/agent-runs/${String(run['run_id'])}`);
const newThread = async (): Promise<string> => (await alice.post('/api/threads', {})).body.id as string;
const instant = (text: unknown): number => Date.parse(String(text));

/** The task's moment is now (or was a while ago), and the poller looks. */
async function becomesDue(id: string, agoSeconds = 0): Promise<number> {
  const { rows } = await house.database.admin.query<{ next_run_at: Date }>(
    `update scheduled_task_states set next_run_at = date_trunc('milliseconds', clock_timestamp()) - $2 * interval '1 s',
       version = version + 1 where task_id = $1 returning next_run_at`,
    [id, agoSeconds],
  );
  // Two rounds: one may be under way that has looked already.
  for (let round = 0; round < 2; round++) {
    const looked = house.ticker.ticked(SCHEDULE_POLLER);
    house.ticker.wake(SCHEDULE_POLLER);
    await looked;
  }
  return rows[0]!.next_run_at.getTime();
}

/** Its run when it has ended, as its owner reads it. */
async function runsWhenDue(id: string, agoSeconds = 0): Promise<{ run: Body; due: number }> {
  const due = await becomesDue(id, agoSeconds);
  const { id: runId } = await signals.until(id, 'success', 'failed', 'interrupted', 'skipped');
  return { run: await get(`/api/scheduled-task-runs/${runId}`), due };
}

/** Started by hand and at work: its agent says so by a file in its folder. */
async function atWork(id: string): Promise<Body> {
  const answer = await alice.post(`${TASKS}/${id}/trigger`);
  expect(answer.body).toEqual({ id, triggered: true, task_run_id: expect.any(String) });
  const run = await get(`/api/scheduled-task-runs/${answer.body.task_run_id}`);
  expect(run).toMatchObject({ status: 'running', trigger: 'manual' });
  await appears(join(house.dataDir, 'agents', String(run['thread_id']), 'ready'));
  return run;
}

async function cancel(run: Body): Promise<void> {
  const answer = await alice.post(`/api/agent-runs/${String(run['run_id'])}/cancel`);
  expect(answer.status).toBe(200);
  await signals.until(String(run['id']), 'interrupted');
}

describe('a cron task whose moment has come', () => {
  it('runs the bundled agent, and everything about it can be read', async () => {
    const id = await create({ prompt: 'What is 17 * 23?' });
    const { run, due } = await runsWhenDue(id);
    expect(run).toEqual({
      id: expect.stringMatching(/^task-run-[0-9a-f]{32}$/),
      task_id: id,
      thread_id: expect.any(String),
      run_id: expect.any(String),
      scheduled_for: expect.any(String),
      trigger: 'scheduled',
      status: 'success',
      reason: null,
      error: null,
      lateness_ms: expect.any(Number),
      late_reason: run['late_reason'],
      started_at: expect.any(String),
      finished_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect(instant(run['scheduled_for'])).toBe(due);
    expect(run['lateness_ms']).toBe(instant(run['started_at']) - due);
    expect(run['lateness_ms']).toBeGreaterThanOrEqual(0);
    expect(instant(run['finished_at'])).toBeGreaterThanOrEqual(instant(run['started_at']));
    expect(await history(id)).toEqual([run]);

    expect(await agentRun(run)).toMatchObject({
      thread_id: run['thread_id'],
      assistant_id: 'default',
      status: 'success',
      exit_code: 0,
      prompt: 'What is 17 * 23?',
      output: '17 * 23 = 391\n',
      stderr: '',
      output_truncated: false,
      started_at: run['started_at'],
      metadata: { scheduled_task_id: id, scheduled_task_run_id: run['id'], scheduled_trigger: 'scheduled' },
    });
    expect(await get(`/api/threads/${String(run['thread_id'])}/messages`)).toEqual([
      expect.objectContaining({ role: 'user', content: 'What is 17 * 23?', agent_run_id: run['run_id'] }),
      expect.objectContaining({ role: 'assistant', content: '17 * 23 = 391\n', agent_run_id: run['run_id'] }),
    ]);

    const after = await task(id);
    expect(after).toMatchObject({
      status: 'enabled',
      run_count: 1,
      last_run_at: run['started_at'],
      last_run_id: run['run_id'],
      last_thread_id: run['thread_id'],
      last_error: null,
      missed_occurrences: 0,
    });
    expect(instant(after['next_run_at'])).toBeGreaterThan(due);
  });

  it('gives the program its prompt on standard input, its environment, and a folder of its own', async () => {
    const prompt = 'Two lines:\n"quotes" $HOME `id` 😀\n';
    const { run } = await runsWhenDue(await create({ prompt, assistant_id: 'teller' }));
    const { output, metadata } = await agentRun(run);
    const told = JSON.parse(String(output)) as { stdin: string; cwd: string; args: string[]; env: Body };
    expect(told).toMatchObject({ stdin: prompt, args: [] });
    expect(told.cwd).toMatch(new RegExp(`/agents/${String(run['thread_id'])}$`));
    expect(told.env).toMatchObject({
      MODE: 'test',
      HORARIUM_TASK_ID: run['task_id'],
      HORARIUM_RUN_ID: run['id'],
      HORARIUM_AGENT_RUN_ID: run['run_id'],
      HORARIUM_THREAD_ID: run['thread_id'],
      HORARIUM_TRIGGER: 'scheduled',
      HORARIUM_SCHEDULED_FOR: (metadata as Body)['scheduled_for'],
      HORARIUM_NON_INTERACTIVE: '1',
    });
    expect(instant(told.env['HORARIUM_SCHEDULED_FOR'])).toBe(instant(run['scheduled_for']));
    for (const secret of ['HORARIUM_JWT_SECRET', 'HORARIUM_ENCRYPTION_KEY', 'DATABASE_URL', 'HORARIUM_TEST_SERVER']) {
      expect(told.env).not.toHaveProperty(secret);
    }
  });

  it('gives it as the one argument where the operator wrote {prompt}', async () => {
    const prompt = "$(touch x); 'single' && {prompt}";
    const { run } = await runsWhenDue(await create({ prompt, assistant_id: 'pointed' }));
    expect(JSON.parse(String((await agentRun(run))['output']))).toMatchObject({ args: ['no-stdin', prompt] });
  });

  it('does not run before its moment, nor while it is paused or deleted', async () => {
    const early = await create();
    const [paused, deleted] = [await create(), await create()];
    await alice.post(`${TASKS}/${paused}/pause`);
    await alice.delete(`${TASKS}/${deleted}`);
    await becomesDue(paused);
    expect([await history(early), await history(paused)]).toEqual([[], []]);
    expect((await alice.get(`/api/scheduled-task-runs?task_id=${deleted}`)).body).toEqual([]);
  });

  it('runs once for all that it missed, and counts the others', async () => {
    // Once a day: the next one does not come while this is looked at.
    const id = await create({ schedule_spec: { cron: '0 9 * * *' }, prompt: 'Echo: late' });
    const { run, due } = await runsWhenDue(id, 60 * 86_400);
    expect(run).toMatchObject({ status: 'success' });
    expect(run['lateness_ms']).toBeGreaterThanOrEqual(60 * 86_400_000);
    expect(instant(run['scheduled_for'])).toBe(due);
    const { missed_occurrences: missed, run_count } = await task(id);
    expect([run_count, (missed as number) >= 59 && (missed as number) <= 61]).toEqual([1, true]);
  });

  it('skips what is later than the grace allows, and says so', async () => {
    const id = await create({ misfire_grace_seconds: 10 });
    const { run } = await runsWhenDue(id, 60);
    expect(run).toMatchObject({
      status: 'skipped',
      reason: 'too_late',
      run_id: null,
      started_at: null,
      lateness_ms: null,
    });
    expect(run['error']).toMatch(/later than the 10 s allowed/);
    expect(await task(id)).toMatchObject({ status: 'enabled', run_count: 0, last_error: null });
  });
});

describe('what goes wrong is recorded with its reason', () => {
  it('a program that fails', async () => {
    const id = await create({ assistant_id: 'failing' });
    const { run } = await runsWhenDue(id);
    const error = 'The agent failed (exit code 3): the reason';
    expect(run).toMatchObject({ status: 'failed', reason: 'agent_failed', error });
    expect(await agentRun(run)).toMatchObject({
      status: 'error',
      exit_code: 3,
      error,
      stderr: 'first line\nthe reason\n',
    });
    expect(await task(id)).toMatchObject({ status: 'enabled', last_error: error, run_count: 1 });
  });

  it('a program that is not there', async () => {
    const id = await create({ assistant_id: 'absent' });
    const { run } = await runsWhenDue(id);
    expect(run).toMatchObject({ status: 'failed', reason: 'launch_failed', started_at: null, lateness_ms: null });
    expect(run['error']).toMatch(/\/no\/such\/program/);
    expect(await task(id)).toMatchObject({
      status: 'enabled',
      run_count: 0,
      last_error: run['error'],
      last_run_id: null,
    });
  });

  it('a program that is not there, by hand: 502 with the reason', async () => {
    const id = await create({ assistant_id: 'absent' });
    const answer = await alice.post(`${TASKS}/${id}/trigger`);
    expectProblem(answer, { status: 502, code: 'schedule.launch-failed', detail: /\/no\/such\/program.*Nothing ran/s });
    expect(await history(id)).toEqual([
      expect.objectContaining({ trigger: 'manual', status: 'failed', reason: 'launch_failed' }),
    ]);
    const once = await create({ ...ONCE, assistant_id: 'absent' });
    const before = await task(once);
    expect((await alice.post(`${TASKS}/${once}/trigger`)).status).toBe(502);
    expect(await task(once)).toEqual(before);
  });

  it('a program that takes too long is ended', async () => {
    const id = await create({ assistant_id: 'slow' });
    const { run } = await runsWhenDue(id);
    const error = 'The agent was ended: it did not finish within 1 s.';
    expect(run).toMatchObject({ status: 'failed', reason: 'agent_timeout', error });
    expect(await agentRun(run)).toMatchObject({ status: 'timeout', error });
  });

  it('a program that is cancelled', async () => {
    const id = await create({ assistant_id: 'waiting' });
    const started = await atWork(id);
    await cancel(started);
    const run = await get(`/api/scheduled-task-runs/${String(started['id'])}`);
    expect(run).toMatchObject({ status: 'interrupted', reason: 'interrupted', error: 'Cancelled by alice.' });
    expect(await agentRun(run)).toMatchObject({ status: 'interrupted', cancel_requested_at: expect.any(String) });
    const again = await alice.post(`/api/agent-runs/${String(run['run_id'])}/cancel`);
    expectProblem(again, { status: 409, code: 'agent-run.run-ended' });
  });

  it('output is kept to the limit, and the cut is marked', async () => {
    const { run } = await runsWhenDue(await create({ assistant_id: 'chatty' }));
    const kept = await agentRun(run);
    expect(kept).toMatchObject({ output_truncated: true, stderr_truncated: true, stderr_dropped_bytes: 3_000 - 1_024 });
    expect(Buffer.byteLength(String(kept['output']))).toBeLessThanOrEqual(1_024);
  });

  it('somebody else reads and cancels nothing of it', async () => {
    const run = await atWork(await create({ assistant_id: 'waiting' }));
    const bob = await house.as('bob');
    for (const answer of [
      await bob.get(`/api/agent-runs/${String(run['run_id'])}`),
      await bob.post(`/api/agent-runs/${String(run['run_id'])}/cancel`),
    ])
      expectProblem(answer, { status: 404, code: 'agent-run.run-not-found' });
    expect(await agentRun(run)).toMatchObject({ status: 'running', cancel_requested_at: null });
    await cancel(run);
  });
});

describe('an occurrence that meets a run', () => {
  it('of its own task is skipped; by hand it is refused without a trace', async () => {
    const id = await create({ assistant_id: 'waiting' });
    const run = await atWork(id);
    await becomesDue(id);
    await signals.until(id, 'skipped');
    const [skipped] = await history(id);
    expect(skipped).toMatchObject({ status: 'skipped', reason: 'overlap', trigger: 'scheduled', run_id: null });
    const before = [await task(id), await history(id)];
    const answer = await alice.post(`${TASKS}/${id}/trigger`);
    expectProblem(answer, { status: 409, code: 'schedule.active-run', detail: /has not ended yet/ });
    expect([await task(id), await history(id)]).toEqual(before);
    await cancel(run);
    expect(await task(id)).toMatchObject({ status: 'enabled', run_count: 1 });
  });

  it('of another task on the same thread is skipped; by hand it is refused, and recorded', async () => {
    const thread_id = await newThread();
    const binding = { context_mode: 'reuse_thread', thread_id };
    const run = await atWork(await create({ ...binding, assistant_id: 'waiting' }));
    const id = await create(binding);
    const { run: skipped } = await runsWhenDue(id);
    expect(skipped).toMatchObject({ status: 'skipped', reason: 'thread_busy', thread_id, run_id: null });
    expect(await task(id)).toMatchObject({ status: 'enabled', run_count: 0, last_error: null });

    const answer = await alice.post(`${TASKS}/${id}/trigger`);
    expectProblem(answer, { status: 409, code: 'schedule.thread-busy', detail: new RegExp(thread_id) });
    expect((await history(id))[0]).toMatchObject({ status: 'failed', reason: 'thread_busy', trigger: 'manual' });
    expect(await task(id)).toMatchObject({ run_count: 0, last_error: null, last_run_at: null });

    await cancel(run);
    signals.forget(id);
    expect((await runsWhenDue(id)).run).toMatchObject({ status: 'success', thread_id });
    const said = (await get(`/api/threads/${thread_id}/messages`)) as unknown as Body[];
    expect(said.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  });

  it('a task deleted in flight: the run goes on, its end is kept', async () => {
    const id = await create({ assistant_id: 'waiting' });
    const run = await atWork(id);
    expect((await alice.delete(`${TASKS}/${id}`)).status).toBe(200);
    expect(await agentRun(run)).toMatchObject({ status: 'running' });
    await cancel(run);
    const [kept] = (await get(`/api/scheduled-task-runs?task_id=${id}`)) as unknown as Body[];
    expect(kept).toMatchObject({ id: run['id'], status: 'interrupted' });
  });
});

describe('a once task', () => {
  it('runs at its moment and is completed', async () => {
    const id = await create({ ...ONCE, prompt: 'Echo: once' });
    const { run } = await runsWhenDue(id);
    expect(run).toMatchObject({ status: 'success', trigger: 'scheduled' });
    expect(await task(id)).toMatchObject({ status: 'completed', next_run_at: null, run_count: 1, next_runs: [] });
    for (const door of ['pause', 'resume']) {
      expectProblem(await alice.post(`${TASKS}/${id}/${door}`), { status: 409, code: 'schedule.task-finished' });
    }
    const armed = await alice.patch(`${TASKS}/${id}`, { schedule_spec: { delay_seconds: 600 } });
    expect(armed.body).toMatchObject({ status: 'enabled', next_run_at: expect.any(String) });
  });

  it('by hand is consumed by it', async () => {
    const id = await create({ ...ONCE, prompt: 'Echo: by hand' });
    const answer = await alice.post(`${TASKS}/${id}/trigger`);
    expect(answer.status).toBe(200);
    await signals.until(String(answer.body.task_run_id), 'success');
    expect(await task(id)).toMatchObject({ status: 'completed', next_run_at: null, run_count: 1 });
    expect(await history(id)).toEqual([expect.objectContaining({ trigger: 'manual', status: 'success' })]);
  });

  it('that failed is failed, that was cancelled is cancelled', async () => {
    const failing = await create({ ...ONCE, assistant_id: 'failing' });
    await runsWhenDue(failing);
    expect(await task(failing)).toMatchObject({ status: 'failed', next_run_at: null });
    const waiting = await create({ ...ONCE, assistant_id: 'waiting' });
    const run = await atWork(waiting);
    expect(await task(waiting)).toMatchObject({ status: 'running', next_run_at: null });
    for (const answer of [
      await alice.patch(`${TASKS}/${waiting}`, { title: 'x' }),
      await alice.post(`${TASKS}/${waiting}/pause`),
      await alice.post(`${TASKS}/${waiting}/resume`),
    ])
      expectProblem(answer, { status: 409, code: 'schedule.task-dispatching' });
    await cancel(run);
    expect(await task(waiting)).toMatchObject({ status: 'cancelled', last_error: 'Cancelled by alice.' });
  });

  it('with a moment of the wire runs by itself when that comes', async () => {
    const id = await create({ schedule_type: 'once', schedule_spec: { delay_seconds: 1 }, prompt: 'Echo: by itself' });
    const { next_run_at } = await task(id);
    const { id: runId } = await signals.until(id, 'success');
    const run = await get(`/api/scheduled-task-runs/${runId}`);
    expect(run['scheduled_for']).toBe(next_run_at);
    expect(run['lateness_ms']).toBeGreaterThanOrEqual(0);
  });
});

it('metrics tell of all that, and the house was without fault', async () => {
  const page = (await alice.get('/metrics')).text;
  for (const outcome of ['launched', 'skipped', 'failed', 'conflict']) {
    expect(page).toMatch(new RegExp(`horarium_\\w+\\{[^}]*"${outcome}"[^}]*\\} [1-9]`));
  }
  expect(house.log.filter((line) => /"level":[56]0/.test(line) && !/"status":502|launch-failed/.test(line))).toEqual(
    [],
  );
});
