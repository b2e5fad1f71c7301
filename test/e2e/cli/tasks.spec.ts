// The command line against the whole application.
import { type Horarium, horarium } from '../../support/cli';
import { type TestApp, testApp } from '../../support/app';

let house: TestApp;
let alice: Horarium;
let operator: Horarium;

beforeAll(async () => {
  house = await testApp({ HORARIUM_DEFAULT_TIMEZONE: 'Europe/Berlin' });
  const as = (token: string) =>
    horarium({ HORARIUM_URL: house.url, HORARIUM_TOKEN: token, HORARIUM_DEFAULT_TIMEZONE: 'Europe/Berlin' });
  alice = as(await house.token('alice'));
  operator = as(await house.token('root', { roles: ['operator'] }));
});
afterAll(() => house.close());

async function json<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
  const { stdout, stderr, code } = await alice(...argv, '--json');
  expect([stderr, code]).toEqual(['', 0]);
  return JSON.parse(stdout) as T;
}
const add = async (...argv: string[]) => (await json<{ id: string }>('task', 'add', ...argv)).id;
const ended = /^(success|failed|interrupted|skipped)$/;

/** Asks until the run is over; each question is a round trip through the server. */
async function finished(id: string): Promise<{ status: string; run_id: string }> {
  for (;;) {
    const run = await json<{ status: string; run_id: string }>('run', 'show', id);
    if (ended.test(run.status)) return run;
  }
}

it('adds a task: the first line is the title, the zone is where one sits', async () => {
  const task = await json(
    'task',
    'add',
    '\nMorning news\nin five lines',
    '--cron',
    '30  7 * * 1-5',
    '--misfire-grace',
    '5m',
  );
  expect(task).toMatchObject({
    title: 'Morning news',
    prompt: '\nMorning news\nin five lines',
    schedule_spec: { cron: '30 7 * * 1-5' },
    timezone: 'Europe/Berlin',
    misfire_grace_seconds: 300,
  });
});

it('adds one for a moment, and one for in ten minutes', async () => {
  expect(await json('task', 'add', 'x', '--at', '2037-07-01T09:00')).toMatchObject({
    schedule_type: 'once',
    next_run_at: '2037-07-01T07:00:00+00:00',
  });
  const { next_run_at: next } = await json<{ next_run_at: string }>('task', 'add', 'x', '--in', '10m');
  expect(next).toMatch(/\+00:00$/);
});

it('shows a task on its own clock, with the next runs', async () => {
  const id = await add('Say hello', '--cron', '0 9 1 1 *', '--timezone', 'Asia/Tokyo', '--title', 'New \u001b[31myear');
  const { stdout, code } = await alice('task', 'show', id);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^title +New \ufffd\[31myear$/m);
  expect(stdout).toMatch(/^schedule +0 9 1 1 \* \(Asia\/Tokyo\)$/m);
  expect(stdout).toMatch(/^next run +\d{4}-01-01 09:00:00\+09:00\n +\d{4}-01-01 09:00:00\+09:00\n/m);
});

it('edits, pauses, resumes, duplicates and deletes', async () => {
  const id = await add('Say hello', '--cron', '0 9 * * *');
  expect(await json('task', 'edit', id, '--cron', '0 10 * * *', '--title', 'Later')).toMatchObject({
    title: 'Later',
    schedule_spec: { cron: '0 10 * * *' },
  });
  expect(await alice('task', 'edit', id, '--at', '2030-01-01T09:00')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/The type of a schedule cannot be changed; this one is cron/),
  });
  expect((await alice('task', 'pause', id)).stdout).toBe(`${id} is paused\n`);
  expect(await json<unknown[]>('task', 'list', '--status', 'paused')).toEqual([expect.objectContaining({ id })]);
  expect((await alice('task', 'resume', id)).stdout).toMatch(/ is enabled; next run .+ 10:00:00\+0[12]:00 \(Europe/);
  const copy = await json<{ id: string }>('task', 'duplicate', id, '--title', 'Copy');
  expect(copy).toMatchObject({ title: 'Copy', schedule_spec: { cron: '0 10 * * *' } });
  expect((await alice('task', 'delete', id)).stdout).toBe(`deleted ${id}\n`);
  expect(await alice('task', 'show', id)).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining(id) });
  expect((await alice('task', 'list')).stdout).toMatch(new RegExp(`^${copy.id} +Copy +enabled +0 10`, 'm'));
});

it('a trigger runs it, and the history tells what became of it', async () => {
  const id = await add('What is two and two?', '--cron', '0 9 1 1 *', '--title', 'Arithmetic');
  const { task_run_id: run } = await json<{ task_run_id: string }>('task', 'trigger', id);
  expect((await finished(run)).status).toBe('success');

  const shown = await alice('run', 'show', run);
  expect(shown.stdout).toMatch(/^status +success$/m);
  expect(shown.stdout).toMatch(/^--- output ---\n./m);

  const { stdout } = await alice('runs', '--since', '1h');
  expect(stdout).toMatch(/^planned +late +status +took +by +task +run +why$/m);
  expect(stdout).toMatch(new RegExp(`^\\S+ \\S+\\+0[12]:00 +.+ success +.+ manual +Arithmetic +${run} +-$`, 'm'));
  expect(stdout).toMatch(/^1 run: 1 success; times in Europe\/Berlin$/m);
  expect((await alice('task', 'runs', id)).stdout).toContain(run);
  expect((await alice('runs', '--status', 'failed')).stdout).toBe('no runs\n');
  expect(await alice('run', 'cancel', run)).toMatchObject({ code: 5, stdout: '' });
});

it('another person’s task does not exist', async () => {
  const id = await add('mine', '--cron', '0 9 * * *');
  expect(await operator('task', 'show', id)).toMatchObject({ code: 4, stdout: '' });
});

it('what the server refuses is said with the field’s name', async () => {
  const { stderr, code } = await alice('task', 'add', 'x', '--cron', '61 * * * *', '--json');
  expect([JSON.parse(stderr), code]).toEqual([expect.objectContaining({ field: 'schedule_spec.cron' }), 2]);
});

it('cron next says what an expression means', async () => {
  const { stdout, code } = await alice(
    ...['cron', 'next', '30 2 * * *', '--timezone', 'America/New_York', '--after', '2026-03-07T12:00', '--count', '2'],
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^2026-03-08 03:30:00-04:00 +2026-03-08T07:30:00\+00:00 +the clock skips the listed time$/m);
});

it('doctor finds all well, and the timetable is for operators', async () => {
  const { stdout, code } = await operator('doctor');
  expect([stdout, code]).toEqual([expect.stringMatching(/All is well\.\n$/), 0]);
  expect(stdout).toMatch(/^token +ok +/m);
  expect((await operator('timetable')).stdout).toMatch(/^schedule-poller +when due/m);
  expect((await alice('timetable')).code).toBe(6);
});
