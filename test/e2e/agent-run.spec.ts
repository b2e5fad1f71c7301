import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentIsolation,
  CancelRun,
  RunEndListeners,
  SettleAbandonedRuns,
  StartRun,
  type RunEnd,
  type StartRunResult,
} from '../../src/agent-run';
import { systemActor } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { AGENT } from '../support/agents/driver-bench';
import { appears } from '../support/agents/appears';
import { testApp, type Client, type TestApp } from '../support/app';

let settings: string;
let house: TestApp;
let alice: Client;
let bob: Client;
let requests = 0;

beforeAll(async () => {
  settings = mkdtempSync(join(tmpdir(), 'horarium-settings-'));
  const file = join(settings, 'assistants.yaml');
  const command = (...words: string[]): string => JSON.stringify([process.execPath, AGENT, ...words]);
  writeFileSync(
    file,
    [
      `echo: { title: Echo, command: ${command('echo')}, env: [HORARIUM_TEST_SECRET=hidden] }`,
      `fails: { command: ${command('exit', '3')} }`,
      `waits: { command: ${command('wait')}, concurrency: 1 }`,
      `floods: { command: ${command('flood', '5000')}, output_limit_bytes: 1024 }`,
      'missing: { command: [/no/such/agent] }',
      `spy: { command: ${command('spy')} }`,
      `talks: { command: ${command('talk')} }`,
      'pulled: { driver: pull }',
    ].join('\n'),
  );
  house = await testApp({ HORARIUM_ASSISTANTS_FILE: file });
  [alice, bob] = await Promise.all([house.as('alice'), house.as('bob')]);
});
afterAll(async () => {
  await house.close();
  rmSync(settings, { recursive: true });
});

const now = (): Date => house.app.get<Clock>(Clock).now();

async function aThread(client = alice): Promise<string> {
  return (await client.post('/api/threads', { title: 'talk' }).expect(201)).body.id as string;
}

function start(assistantId: string, threadId: string, prompt = 'hello'): Promise<StartRunResult> {
  const input = {
    requestId: `e2e-${++requests}`,
    owner: { tenantId: 1, userId: 'alice' },
    createThread: true,
    metadata: { scheduled_trigger: 'manual' },
    whenBusy: 'reject' as const,
  };
  return house.app.get(StartRun).run(systemActor('test'), { ...input, assistantId, threadId, prompt }, now());
}

async function started(assistantId: string, threadId: string, prompt?: string): Promise<string> {
  const result = await start(assistantId, threadId, prompt);
  if (result.outcome !== 'started') throw new Error(result.outcome);
  return result.agentRunId;
}

/** The end of a run, heard of as the rest of the house hears of it. */
function endOf(threadId: string): Promise<RunEnd> {
  return new Promise((resolve) => {
    house.app.get(RunEndListeners).subscribe({
      runEnded: (end) => Promise.resolve(end.threadId === threadId ? resolve(end) : undefined),
    });
  });
}

test('assistants: ids, titles and drivers, never how they are run', async () => {
  const { body, text } = await bob.get('/api/assistants').expect(200);
  expect(body[0]).toEqual({ id: 'default', title: 'Sample agent (bundled)', driver: 'command' });
  expect(body.map(({ id }: { id: string }) => id)).toEqual([
    'default',
    'echo',
    'fails',
    'waits',
    'floods',
    'missing',
    'spy',
    'talks',
    'pulled',
  ]);
  expect(text).not.toMatch(/hidden|agent\.mjs/);
});

test('a run from its prompt to its answer, in the run and on the thread', async () => {
  const threadId = await aThread();
  const ended = endOf(threadId);
  const prompt = `<b>'; drop table threads</b> 😀 \\`;
  const id = await started('echo', threadId, prompt);
  await ended;
  const { body } = await alice.get(`/api/agent-runs/${id}`).expect(200);
  expect(body).toEqual({
    id,
    thread_id: threadId,
    assistant_id: 'echo',
    status: 'success',
    error: null,
    reason: null,
    exit_code: 0,
    usage: null,
    seconds: expect.any(Number),
    created_at: expect.any(String),
    started_at: expect.any(String),
    finished_at: expect.any(String),
    cancel_requested_at: null,
    retry_at: null,
    attempt: 1,
    prompt,
    working_folder: null,
    metadata: { scheduled_trigger: 'manual' },
    result: prompt,
    output: prompt,
    output_truncated: false,
    output_dropped_bytes: 0,
    stderr: '',
    stderr_truncated: false,
    stderr_dropped_bytes: 0,
  });
  const messages = await alice.get(`/api/threads/${threadId}/messages`).expect(200);
  expect(messages.body).toMatchObject([
    { role: 'user', content: prompt, agent_run_id: id },
    { role: 'assistant', content: prompt, agent_run_id: id },
  ]);
  const later = await alice.get(`/api/threads/${threadId}/messages?limit=1&after=${messages.body[0].id}`).expect(200);
  expect(later.body).toEqual([messages.body[1]]);
  const runs = await alice.get(`/api/agent-runs?thread_id=${threadId}`).expect(200);
  expect(runs.body).toMatchObject([{ id, status: 'success' }]);
  expect(runs.body[0]).not.toHaveProperty('output');
});

test('the bundled agent answers', async () => {
  const threadId = await aThread();
  const ended = endOf(threadId);
  const id = await started('default', threadId, 'What is 6 * 7?');
  await ended;
  expect((await alice.get(`/api/agent-runs/${id}`)).body).toMatchObject({ status: 'success', output: '6 * 7 = 42\n' });
});

test('a run that fails says why, and a cut is marked', async () => {
  const [failing, flooding] = [await aThread(), await aThread()];
  const ends = [endOf(failing), endOf(flooding)];
  const [failed, flooded] = [await started('fails', failing), await started('floods', flooding)];
  await Promise.all(ends);
  expect((await alice.get(`/api/agent-runs/${failed}`)).body).toMatchObject({
    status: 'error',
    exit_code: 3,
    error: 'The agent failed (exit code 3): the reason',
    stderr: 'first line\nthe reason\n',
  });
  expect((await alice.get(`/api/agent-runs/${flooded}`)).body).toMatchObject({
    output_truncated: true,
    output_dropped_bytes: 10_000 - 1024,
    stderr_truncated: true,
    stderr_dropped_bytes: 5_000 - 1024,
  });
});

test('cancel: at work, again, and after the end; and the place is free for who waited', async () => {
  const [first, second] = [await aThread(), await aThread()];
  const ended = endOf(first);
  const id = await started('waits', first);
  await appears(join(house.dataDir, 'agents', first, 'ready'));
  const waiting = start('waits', second);
  expect((await alice.post(`/api/agent-runs/${id}/cancel`).expect(200)).body.cancel_requested_at).not.toBeNull();
  expect((await ended).error).toBe('Cancelled by alice.');
  const { body } = await alice.post(`/api/agent-runs/${id}/cancel`).expect(409);
  expect(body).toMatchObject({ code: 'agent-run.run-ended', detail: expect.stringContaining('interrupted') });
  const next = await waiting;
  if (next.outcome !== 'started') throw new Error(next.outcome);
  const over = endOf(second);
  await house.app.get(CancelRun).run(systemActor('test'), next.agentRunId, now());
  expect((await over).status).toBe('interrupted');
});

test("an agent that is prompted to read the house's secrets fails to, or the house says that it is not isolated", async () => {
  const token = join(house.dataDir, 'operator-token');
  writeFileSync(token, 'TOP-SECRET\n', { mode: 0o600 });
  const secret = join(house.dataDir, 'secrets', 'jwt-secret');
  writeFileSync(secret, 'TOP-SECRET\n', { mode: 0o600 });
  const threadId = await aThread();
  const ended = endOf(threadId);
  const id = await started('spy', threadId, [token, secret, `/proc/${process.pid}/environ`, house.dataDir].join('\n'));
  await ended;
  const { output, status } = (await alice.get(`/api/agent-runs/${id}`)).body as { output: string; status: string };
  expect(status).toBe('success');
  const isolation = house.app.get<AgentIsolation>(AgentIsolation);
  const health = (await alice.get('/health/ready')).body.checks.agent_isolation as Record<string, unknown>;
  expect(health.kind).toBe(isolation.kind);
  if (isolation.kind === 'none') {
    expect(health).toMatchObject({ status: 'warn', message: expect.stringMatching(/^no isolation/) });
  } else {
    expect(output).not.toMatch(/TOP-SECRET|PATH=/);
  }
});

test('a program that is not there is a certain refusal, stored with its reason', async () => {
  const threadId = await aThread();
  await expect(start('missing', threadId)).rejects.toMatchObject({ kind: 'downstream' });
  const { body } = await alice.get(`/api/agent-runs?thread_id=${threadId}`).expect(200);
  const error = expect.stringContaining('/no/such/agent does not exist');
  expect(body).toMatchObject([{ status: 'error', error, started_at: null }]);
});

describe('refusals', () => {
  let thread: string;
  let run: string;
  beforeAll(async () => {
    thread = await aThread();
    const ended = endOf(thread);
    run = await started('echo', thread);
    await ended;
  });

  test("somebody else's things do not exist, nor do those of another tenant's namesake", async () => {
    const namesake = await house.as('alice', { tenantId: await house.tenant('another') });
    for (const stranger of [bob, namesake]) {
      await stranger.get(`/api/agent-runs/${run}`).expect(404);
      await stranger.post(`/api/agent-runs/${run}/cancel`).expect(404);
      await stranger.get(`/api/agent-runs?thread_id=${thread}`).expect(404);
      await stranger.get(`/api/threads/${thread}`).expect(404);
      await stranger.get(`/api/threads/${thread}/messages`).expect(404);
    }
  });

  test.each(['nothing', '..%2f..%2fetc', 'a%00b', '%F0%9F%98%80', 'x'.repeat(300)])(
    "the id %s is nobody's",
    async (id) => {
      for (const path of [`/api/agent-runs/${id}`, `/api/threads/${id}`, `/api/threads/${id}/messages`]) {
        const { body, status } = await alice.get(path);
        expect([404, 422]).toContain(status);
        expect(body.code).toEqual(expect.any(String));
      }
    },
  );

  test.each([
    ['/api/agent-runs', 'thread_id'],
    ['/api/agent-runs?thread_id=x&limit=0', 'limit'],
    ['/api/agent-runs?thread_id=x&limit=201', 'limit'],
    ['/api/agent-runs?thread_id=x&colour=red', 'colour'],
    ['/api/threads/x/messages?after=now', 'after'],
  ])('%s: 422 that names %s', async (path, field) => {
    const { body } = await alice.get(path).expect(422);
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test.each([{ title: '' }, { title: 'x'.repeat(256) }, { title: 'a\0' }, { title: 5 }, { name: 'x' }])(
    'POST /api/threads %j: 422, and nothing is written',
    async (body) => {
      const count = async () =>
        (await house.database.admin.query('select count(*) from threads')).rows[0].count as string;
      const before = await count();
      await alice.post('/api/threads', body).expect(422);
      expect(await count()).toBe(before);
    },
  );
});

test('a thread needs no title, and keeps one exactly', async () => {
  expect((await alice.post('/api/threads', {}).expect(201)).body.title).toBeNull();
  const title = `<script>'; -- 😀`;
  const { body } = await alice.post('/api/threads', { title }).expect(201);
  expect((await alice.get(`/api/threads/${body.id}`).expect(200)).body).toEqual(body);
  expect(body.title).toBe(title);
});

test('runs of a process that is dead are interrupted, and who waits hears of it', async () => {
  const threadId = await aThread();
  // Before it is there: the house settles by itself, too.
  const ended = endOf(threadId);
  await house.database.admin.query(
    `insert into agent_runs (id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, status,
                             metadata, prompt, created_at, started_at)
     values ('left-behind', 'left-behind', 1, 'alice', $1, 'echo', 'dead', 'running', '{}', 'x', now(), now())`,
    [threadId],
  );
  await house.app.get(SettleAbandonedRuns).run(now(), new Set(['dead']));
  await ended;
  const { body } = await alice.get('/api/agent-runs/left-behind').expect(200);
  expect(body).toMatchObject({ status: 'interrupted', error: 'The Horarium process that held this run has ended.' });
});

describe('what an agent says, as it says it', () => {
  /** Reads server-sent events until the other side ends, or `until` says so. */
  async function* events(
    path: string,
    token: string,
  ): AsyncGenerator<{ event: string; data: Record<string, unknown> }> {
    const response = await fetch(house.url + path, { headers: { Authorization: `Bearer ${token}` } });
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + chunk).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const fields = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/s)));
        if (fields['event'] !== undefined) yield { event: fields['event'], data: JSON.parse(fields['data'] ?? '{}') };
      }
    }
  }

  test('comes while it works, and ends with the run; later it is told as it is stored', async () => {
    const [threadId, token] = [await aThread(), await house.token('alice')];
    const id = await started('talks', threadId);
    const seen: [string, unknown][] = [];
    for await (const { event, data } of events(`/api/agent-runs/${id}/output?follow`, token)) {
      seen.push([event, data['text'] ?? data['status']]);
      // It waits for this file before it says the rest: what was seen so far was seen while it worked.
      if (seen.length === 1) writeFileSync(join(house.dataDir, 'agents', threadId, 'go-on'), 'x');
    }
    expect(seen).toEqual([
      ['output', 'one 日\n'],
      ['output', 'two\n'],
      ['end', 'success'],
    ]);
    const stored: [string, unknown][] = [];
    for await (const { event, data } of events(`/api/agent-runs/${id}/output`, token))
      stored.push([event, data['text'] ?? data['status']]);
    expect(stored).toEqual([
      ['output', 'one 日\ntwo\n'],
      ['end', 'success'],
    ]);
    await bob.get(`/api/agent-runs/${id}/output`).expect(404);
  });
});

describe('an agent that fetches its work', () => {
  test('claims, gives a sign of life, completes; the run and the thread have its answer', async () => {
    const threadId = await aThread();
    const ended = endOf(threadId);
    const waiting = alice.post('/api/agent-runs/claim', { assistant_ids: ['pulled'], wait_seconds: 30 }).expect(200);
    const [{ body: claimed }, id] = await Promise.all([waiting, started('pulled', threadId, 'review it')]);
    expect(claimed).toMatchObject({ agent_run_id: id, thread_id: threadId, prompt: 'review it', attempt: 1 });
    const say = (what: string, token: string, body?: object) =>
      fetch(`${house.url}/api/agent-runs/${id}/${what}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect(await (await say('heartbeat', claimed.run_token)).json()).toMatchObject({ cancelled: false });
    expect((await say('heartbeat', 'hrt_wrong')).status).toBe(409);
    expect((await say('complete', claimed.run_token, { outcome: 'x' })).status).toBe(422);
    const report = { result: 'Fine.', usage: { input_tokens: 7, output_tokens: 1 }, agent_session: 's-1' };
    expect(await (await say('complete', claimed.run_token, report)).json()).toEqual({ id, completed: true });
    expect((await say('complete', claimed.run_token, report)).status).toBe(409);
    await ended;
    expect((await alice.get(`/api/agent-runs/${id}`)).body).toMatchObject({
      status: 'success',
      result: 'Fine.',
      usage: { input_tokens: 7, output_tokens: 1, total_tokens: 8 },
    });
    const next = await started('pulled', threadId, 'and again');
    const again = await alice.post('/api/agent-runs/claim', { assistant_ids: ['pulled'] }).expect(200);
    expect(again.body).toMatchObject({ agent_run_id: next, agent_session: 's-1' });
  });

  test('gets only what is its own, and only of assistants that can be fetched', async () => {
    await started('pulled', await aThread());
    await bob.post('/api/agent-runs/claim', { assistant_ids: ['pulled'] }).expect(204);
    const operator = await house.as('olga', { roles: ['operator'] });
    await operator.post('/api/agent-runs/claim', { assistant_ids: ['pulled'] }).expect(200);
    const refused = await alice.post('/api/agent-runs/claim', { assistant_ids: ['echo'] }).expect(422);
    expect(refused.body).toMatchObject({ code: 'agent-run.invalid-input', detail: expect.stringContaining('command') });
    await alice.post('/api/agent-runs/claim', { assistant_ids: ['nobody'] }).expect(422);
    await fetch(`${house.url}/api/agent-runs/x/heartbeat`, { method: 'POST' }).then(({ status }) =>
      expect(status).toBe(401),
    );
  });

  test('a run that waits to be fetched can be cancelled', async () => {
    const threadId = await aThread();
    const ended = endOf(threadId);
    const id = await started('pulled', threadId);
    await alice.post(`/api/agent-runs/${id}/cancel`).expect(200);
    expect(await ended).toMatchObject({ status: 'interrupted', error: 'Cancelled by alice.' });
    await alice.post('/api/agent-runs/claim', { assistant_ids: ['pulled'] }).expect(204);
  });
});
