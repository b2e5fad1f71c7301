// The server as a newcomer meets it: started as a process in an empty folder, with its own PostgreSQL; killed, ended,
// started again; and what it says when it cannot start.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { readAttachment, connectionUrl } from '../../src/platform/data-folder/attachment';
import { DataFolder } from '../../src/platform/data-folder/data-folder';
import { appears, isGone, untilGone } from '../support/agents/appears';
import { assistantsFile } from '../support/agents/assistants-file';
import { testDatabase, type TestDatabase } from '../support/database';
import { RunSignals } from '../support/run-signals';
import { removeScratch, scratchFolder } from '../support/scratch';
import { ServerProcess } from '../support/server-process';

// A first start makes a database cluster.
jest.setTimeout(180_000);

afterAll(async () => {
  await ServerProcess.endAll();
  removeScratch();
});

type Body = Record<string, unknown>;

describe('in an empty folder', () => {
  const cwd = scratchFolder();
  const data = join(cwd, '.horarium');
  const env = {
    PORT: '0',
    HORARIUM_LOG_FORMAT: 'json',
    SCHEDULE_POLL_INTERVAL_SECONDS: '1',
    // Agents that do not end by themselves are asked to at once.
    HORARIUM_SHUTDOWN_DEADLINE_SECONDS: '12',
    HORARIUM_ASSISTANTS_FILE: assistantsFile(cwd, { waiting: { behaviour: ['wait'] } }),
  };
  const token = (): string => readFileSync(join(data, 'operator-token'), 'utf8').trim();
  let server: ServerProcess;
  let taskId: string;

  async function api<T = Body>(method: string, path: string, body?: object, bearer = token()): Promise<T> {
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const said = await answer.text();
    // What it says is shown when it is a refusal.
    expect(answer.ok ? '' : said).toBe('');
    return JSON.parse(said) as T;
  }

  /** As the owner of the embedded database, which the files in the data folder lead to. */
  async function withDatabase<T>(work: (admin: Postgres) => Promise<T>): Promise<T> {
    const attachment = await readAttachment(DataFolder.at(data));
    const admin = new Postgres({ connectionString: connectionUrl(attachment, 'owner') });
    await admin.connect();
    try {
      await admin.query("select set_config('app.is_super_admin', 't', false)");
      return await work(admin);
    } finally {
      await admin.end();
    }
  }

  const postmaster = (): number => {
    const cluster = join(data, 'postgres-18');
    return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  };

  it('a start says where it is, where the token lies, and three things to try', async () => {
    server = await ServerProcess.ready({ cwd, env });
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.stdout).toContain(`Swagger UI   ${server.url}/docs`);
    expect(server.stdout).toContain('the one line in .horarium/operator-token (made now');
    expect(server.stdout).toMatch(/Agents {7}\S/);
    expect(server.stdout.match(/^ {2}(curl|npx) /gm)).toHaveLength(3);
    expect(server.stdout).not.toContain(token());
    expect(server.stderr).toBe('');
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${server.url}/docs`)).status).toBe(200);
  });

  it('the token is one line, for its owner alone; so are the secrets', () => {
    expect(readFileSync(join(data, 'operator-token'), 'utf8')).toMatch(/^\S+\n$/);
    const mode = (path: string): number => statSync(join(data, path)).mode & 0o777;
    expect([mode('operator-token'), mode('secrets'), mode('postgres-18')]).toEqual([0o600, 0o700, 0o700]);
  });

  it('the first thing to try makes a task, which runs the bundled agent by itself', async () => {
    const words = /curl -sS -X POST (\S+) -H "Authorization: Bearer \$\(cat (\S+)\)"[\s\S]*? -d '(.*)'/;
    const [, url = '', tokenFile = '', body = ''] = words.exec(server.stdout) ?? [];
    expect(join(cwd, tokenFile)).toBe(join(data, 'operator-token'));
    const task = await api('POST', url.slice(server.url.length), JSON.parse(body) as object);
    taskId = String(task['id']);
    expect(task).toMatchObject({ status: 'enabled', schedule_spec: { cron: '* * * * *' } });

    const run = await withDatabase(async (admin) => {
      const signals = await RunSignals.of({ admin });
      // Its minute has come: the poller looks every second.
      await admin.query('update scheduled_task_states set next_run_at = now() where task_id = $1', [taskId]);
      return signals.until(taskId, 'success', 'failed', 'skipped', 'interrupted');
    });
    const told = await api('GET', `/api/scheduled-task-runs/${run.id}`);
    expect(told).toMatchObject({ status: 'success', trigger: 'scheduled', error: null });
    const { output } = await api('GET', `/api/agent-runs/${String(told['run_id'])}`);
    expect(output).toMatch(/\S/);
  });

  it('the other two things to try show it', async () => {
    // Nothing says on which port: the data folder does.
    const surroundings = { cwd };
    const [runs, tasks] = await Promise.all([
      ServerProcess.cli(['runs', '--since', '1h'], surroundings),
      ServerProcess.cli(['task', 'list'], surroundings),
    ]);
    expect(runs).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('success') });
    expect(tasks).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Hello every minute') });
  });

  it('`horarium token create` prints just a token, which opens the door', async () => {
    const words = ['token', 'create', '--tenant', '1', '--user', 'alice', '--role', 'user'];
    const made = await ServerProcess.cli(words, { cwd });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/) });
    expect(await api('GET', '/api/scheduled-tasks', undefined, made.stdout.trim())).toEqual([]);
  });

  it('a second start on the same folder is refused, and disturbs nothing', async () => {
    const second = await ServerProcess.begin({ cwd, env }).ended;
    expect(second.code).toBe(5);
    expect(second.stderr).toMatch(/already running on the data folder .*\.horarium: process \d+/);
    expect(second.stderr).toContain(String(server.pid));
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(await api('GET', `/api/scheduled-tasks/${taskId}`)).toMatchObject({ id: taskId });
  });

  it('after a kill -9 of everything the next start works by itself, and nothing is lost', async () => {
    const before = token();
    const database = postmaster();
    await server.end('SIGKILL');
    if (!isGone(database)) process.kill(database, 'SIGKILL');
    await untilGone(database);
    server = await ServerProcess.ready({ cwd, env });
    expect(token()).toBe(before);
    expect(server.stdout).toMatch(/the one line in \.horarium\/operator-token\n/);
    expect(await api('GET', `/api/scheduled-tasks/${taskId}`)).toMatchObject({ title: 'Hello every minute' });
    expect(await api<Body[]>('GET', `/api/scheduled-tasks/${taskId}/runs?status=success`)).not.toEqual([]);
  });

  it('SIGTERM with a run at work: the agent is ended, the end is stored, the exit code is 0', async () => {
    const body = {
      ...{ title: 'Long', prompt: 'Wait.', assistant_id: 'waiting', timezone: 'UTC' },
      ...{ schedule_type: 'cron', schedule_spec: { cron: '0 0 1 1 *' } },
    };
    const { id } = await api('POST', '/api/scheduled-tasks', body);
    const { task_run_id } = await api('POST', `/api/scheduled-tasks/${String(id)}/trigger`);
    const run = await api('GET', `/api/scheduled-task-runs/${String(task_run_id)}`);
    const agent = Number(await appears(join(data, 'agents', String(run['thread_id']), 'ready')));
    const database = postmaster();

    const end = await server.end('SIGTERM');
    expect(end).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect([isGone(agent), isGone(database), existsSync(join(data, 'lock'))]).toEqual([true, true, false]);

    server = await ServerProcess.ready({ cwd, env });
    expect(await api('GET', `/api/scheduled-task-runs/${String(task_run_id)}`)).toMatchObject({
      status: 'interrupted',
      error: 'Horarium was shut down.',
    });
    expect((await server.end('SIGINT')).code).toBe(0);
  });

  it('without a server the command line says how to start one', async () => {
    const made = await ServerProcess.cli(['token', 'create', '--tenant', '1', '--user', 'x', '--role', 'user'], {
      cwd,
    });
    expect(made).toMatchObject({ code: 9, stdout: '', stderr: expect.stringMatching(/No Horarium server is running/) });
  });
});

describe('a start that cannot be', () => {
  let database: TestDatabase;
  const cwd = scratchFolder();
  const own = () => ({
    DATABASE_URL: database.url,
    // The tests' database is migrated already; the login role may not.
    DATABASE_MIGRATION_URL: database.ownerUrl,
    HORARIUM_JWT_SECRET: 'a secret of tests, longer than thirty-two characters',
    HORARIUM_ENCRYPTION_KEY: 'a key of tests, longer than thirty-two characters',
  });
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  it('for wrong settings: each is named with what is allowed; nothing was made', async () => {
    const env = { PORT: 'eighty', SCHEDULE_MAX_CONCURRENT_RUNS: '0', HORARIUM_JWT_SECRET: 'short-and-secret' };
    const end = await ServerProcess.begin({ cwd, env }).ended;
    expect(end).toMatchObject({ code: 2, stdout: '' });
    for (const name of Object.keys(env)) expect(end.stderr).toMatch(new RegExp(`${name}: .* allowed: .*\\d`));
    expect(end.stderr).not.toMatch(/short-and-secret|\n\s+at /);
    expect(existsSync(join(cwd, '.horarium'))).toBe(false);
  });

  it('for a port that is taken: says so, and gives back what it had', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const end = await ServerProcess.begin({ cwd, env: { ...own(), PORT: port } }).ended;
    await new Promise((resolve) => other.close(resolve));
    expect(end.code).toBe(9);
    expect(end.stderr).toMatch(/^error: Another program listens on 127\.0\.0\.1:\d+\..* set PORT .*\n$/);
    expect(end.stderr).toContain(`:${port}.`);
    expect(existsSync(join(cwd, '.horarium', 'lock'))).toBe(false);
  });

  it.each([
    [
      'an assistants file that is not there',
      { HORARIUM_ASSISTANTS_FILE: '/no/such.yaml' },
      /^error: \/no\/such\.yaml: /,
    ],
    // As anybody else than root it has no effect, and this start fails for the file.
    [
      'a user nobody knows',
      { HORARIUM_AGENT_USER: 'nobody-knows', ...(process.getuid?.() === 0 ? {} : { HORARIUM_ASSISTANTS_FILE: '/no' }) },
      /^error: (HORARIUM_AGENT_USER: this machine has no user "nobody-knows"|\/no)/,
    ],
  ])('for %s: in one line, before a database is made', async (_, wrong, words) => {
    const folder = scratchFolder();
    const end = await ServerProcess.begin({ cwd: folder, env: { PORT: '0', ...wrong } }).ended;
    expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(words) });
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(join(folder, '.horarium', 'postgres-18'))).toBe(false);
  });

  it('for an assistants file that is wrong: names the line', async () => {
    const file = assistantsFile(cwd, { broken: { comand: ['x'] } });
    const end = await ServerProcess.begin({ cwd, env: { ...own(), PORT: '0', HORARIUM_ASSISTANTS_FILE: file } }).ended;
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/assistants\.yaml:1: .*broken.*comand/);
  });

  it('for a database that cannot be reached: says which setting to look at, not its password', async () => {
    const nobody = new URL(database.url);
    nobody.username = 'nobody-here';
    // Two starts at once: each with a data folder of its own.
    const start = (url: string) => {
      const env = { ...own(), PORT: '0', DATABASE_URL: url, DATABASE_MIGRATION_URL: url };
      return ServerProcess.begin({ cwd: scratchFolder(), env }).ended;
    };
    const [away, refused] = await Promise.all([
      start('postgresql://me:hidden-word@127.0.0.1:1/none'),
      start(nobody.href),
    ]);
    for (const { code, stderr } of [away, refused]) {
      expect(code).toBe(9);
      expect(stderr).toMatch(/^error: The database at .* cannot be used as [\w-]+: .* Check DATABASE_URL\.\n$/);
      expect(stderr).not.toContain('hidden-word');
    }
  });
});
