// What becomes of agents whose house is killed, as real processes: the server, its witness, the agent. What had ended is told
// truly, what still works is ended, by whoever looks first and at the latest by the next start on the data folder.
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appears, isGone, untilGone } from '../support/agents/appears';
import { assistantsFile } from '../support/agents/assistants-file';
import { testDatabase, type TestDatabase } from '../support/database';
import { RunSignals } from '../support/run-signals';
import { removeScratch, scratchFolder } from '../support/scratch';
import { ServerProcess } from '../support/server-process';

jest.setTimeout(240_000);

const SECRET = 'a secret of tests, longer than thirty-two characters';
const [first, second] = [scratchFolder(), scratchFolder()];
let database: TestDatabase;
let signals: RunSignals;

beforeAll(async () => {
  database = await testDatabase();
  signals = await RunSignals.of(database);
});
afterAll(async () => {
  await ServerProcess.endAll();
  await database.close();
  removeScratch();
});

function start(cwd: string, more: Record<string, string> = {}): Promise<ServerProcess> {
  const env = {
    ...more,
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    HORARIUM_JWT_SECRET: SECRET,
    HORARIUM_ENCRYPTION_KEY: SECRET,
    HORARIUM_ASSISTANTS_FILE: assistantsFile(cwd, {
      finishing: { behaviour: ['finish'] },
      waiting: { behaviour: ['wait'] },
    }),
  };
  return ServerProcess.ready({ cwd, env });
}

const part = (of: object): string => Buffer.from(JSON.stringify(of)).toString('base64url');

function token(): string {
  const claims = { sub: 'alice', tenant_id: 1, roles: ['user'], exp: Math.floor(Date.now() / 1_000) + 3_600 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

async function api<T = Record<string, string>>(server: ServerProcess, path: string, body?: object): Promise<T> {
  const answer = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token()}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  expect(answer.ok ? '' : said).toBe('');
  return JSON.parse(said) as T;
}

interface AtWork {
  readonly runId: string;
  readonly agentRunId: string;
  readonly folder: string;
  readonly pid: number;
}

/** A run of this assistant whose agent is at work, in the hands of this server. */
async function atWork(server: ServerProcess, cwd: string, assistant: string): Promise<AtWork> {
  const task = await api(server, '/api/scheduled-tasks', {
    ...{ title: assistant, prompt: 'Work.', assistant_id: assistant, timezone: 'UTC' },
    ...{ schedule_type: 'cron', schedule_spec: { cron: '0 0 1 1 *' } },
  });
  const { task_run_id } = await api(server, `/api/scheduled-tasks/${task['id']}/trigger`, {});
  await signals.until(task_run_id!, 'running');
  const run = await api(server, `/api/scheduled-task-runs/${task_run_id}`);
  const folder = join(cwd, '.horarium', 'agents', run['thread_id']!);
  const pid = Number(await appears(join(folder, 'ready')));
  return { runId: task_run_id!, agentRunId: run['run_id']!, folder, pid };
}

/** What it has said so far has reached the house. */
async function heard({ agentRunId }: AtWork): Promise<void> {
  await appears(join(first, '.horarium', 'output', `${agentRunId}.jsonl`));
}

async function finish({ folder, pid }: AtWork): Promise<void> {
  writeFileSync(join(folder, 'go-on'), '');
  await untilGone(pid);
}

/** A machine whose clock is five minutes fast. */
const FAST = { NODE_OPTIONS: `-r ${join(__dirname, '..', 'chaos', 'clock-offset.cjs')}` };

const traces = (cwd: string): Promise<string[]> => readdir(join(cwd, '.horarium', 'running'));

test('killed, and started again: who ended meanwhile was a success, who still works is ended', async () => {
  const host = await start(first);
  const [ended, working] = [await atWork(host, first, 'finishing'), await atWork(host, first, 'waiting')];
  await heard(ended);
  expect(await traces(first)).toHaveLength(2);
  await host.end('SIGKILL');
  await finish(ended);
  expect(isGone(working.pid)).toBe(false);

  const again = await start(first);
  await Promise.all([signals.until(ended.runId, 'success'), signals.until(working.runId, 'interrupted')]);
  await untilGone(working.pid);
  expect(await api(again, `/api/scheduled-task-runs/${ended.runId}`)).toMatchObject({ status: 'success', error: null });
  expect(await api(again, `/api/agent-runs/${ended.agentRunId}`)).toMatchObject({ output: 'begun\n', exit_code: 0 });
  expect(await api(again, `/api/scheduled-task-runs/${working.runId}`)).toMatchObject({ reason: 'process_lost' });
  expect(await again.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(await traces(first)).toEqual([]);
});

test('settled by another host: the next start corrects what that one had to presume, and ends who still works', async () => {
  const [host, other] = await Promise.all([start(first), start(second, FAST)]);
  const [ended, working] = [await atWork(host, first, 'finishing'), await atWork(host, first, 'waiting')];
  await heard(ended);
  // As if it were another machine's: what it has left cannot be looked at.
  await database.admin.query('update instances set data_folder = $1 where pid = $2', ['/elsewhere', host.pid]);
  await host.end('SIGKILL');
  // Its clock is wrong, which changes nothing but what health says.
  const { checks } = await api<{ checks: Record<string, object> }>(other, '/health/ready');
  expect(checks['clock']).toMatchObject({ status: 'warn', message: expect.stringContaining('ahead of the database') });
  const there = await atWork(other, second, 'finishing');
  const { started_at } = await api(other, `/api/scheduled-task-runs/${there.runId}`);
  expect(Math.abs(Date.parse(started_at!) - Date.now())).toBeLessThan(120_000);
  await finish(there);
  await signals.until(there.runId, 'success');
  const settled = await Promise.all([ended, working].map(({ runId }) => signals.until(runId, 'interrupted')));
  expect(settled).toMatchObject([{ reason: 'process_lost' }, { reason: 'process_lost' }]);
  await finish(ended);
  // The other host knows nothing of this folder.
  expect(isGone(working.pid)).toBe(false);

  const again = await start(first);
  await signals.until(ended.runId, 'success');
  await untilGone(working.pid);
  expect(await api(other, `/api/scheduled-task-runs/${working.runId}`)).toMatchObject({ status: 'interrupted' });
  expect(await api(other, `/api/agent-runs/${ended.agentRunId}`)).toMatchObject({ status: 'success' });
  expect(await traces(first)).toEqual([]);
  await onTheSameMachine(again, other);
  await other.end('SIGTERM');
});

/** Who settles can look at what the dead one has left: who had ended was a success, who still works is ended at once. */
async function onTheSameMachine(host: ServerProcess, other: ServerProcess): Promise<void> {
  const [ended, working] = [await atWork(host, first, 'finishing'), await atWork(host, first, 'waiting')];
  await heard(ended);
  // It cannot hear the end any more.
  process.kill(host.pid, 'SIGSTOP');
  await finish(ended);
  await host.end('SIGKILL');
  await Promise.all([signals.until(ended.runId, 'success'), signals.until(working.runId, 'interrupted')]);
  await untilGone(working.pid);
  expect(await api(other, `/api/agent-runs/${ended.agentRunId}`)).toMatchObject({ output: 'begun\n', exit_code: 0 });
  expect(await api(other, `/api/scheduled-task-runs/${working.runId}`)).toMatchObject({ reason: 'process_lost' });
}
