// Swagger UI in a real browser, as a person uses it: sign in, register a task, run it, read what happened, pause, resume,
// edit and delete it. What the browser complains about fails the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { testApp, type TestApp } from '../support/app';
import { RunSignals } from '../support/run-signals';

// A browser on a busy machine takes its time.
jest.setTimeout(120_000);

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let house: TestApp;
let signals: RunSignals;
let context: BrowserContext;
let page: Page;
const profile = mkdtempSync(join(tmpdir(), 'horarium-browser-'));
const complaints: string[] = [];

beforeAll(async () => {
  house = await testApp();
  signals = await RunSignals.of(house.database);
  context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ARGUMENTS,
    viewport: { width: 1280, height: 1000 },
  });
  page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
  page.on('requestfailed', (request) => complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(house.url) && !request.url().startsWith('data:')) {
      complaints.push(`elsewhere: ${request.url()}`);
    }
  });
});
afterAll(async () => {
  await context.close();
  await house.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
});

interface Said {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Opens an operation, fills in what is given, presses Execute and reads the answer off the page. */
async function execute(
  tag: string,
  operation: string,
  { id, body }: { id?: string; body?: object } = {},
): Promise<Said> {
  const block = page.locator(`[id="operations-${tag.replaceAll(' ', '_')}-${operation}"]`);
  const execute = block.locator('button.execute');
  if (!(await execute.isVisible())) await block.locator('.opblock-summary-control').click();
  await execute.waitFor();
  if (id !== undefined) await block.locator('tr[data-param-name="id"] input').fill(id);
  if (body !== undefined) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/api/'));
  await execute.click();
  await answered;
  const answer = block.locator('.live-responses-table .response').first();
  await answer.waitFor();
  const said = { status: await statusOf(answer), body: JSON.parse(await textOf(answer)) as Said['body'] };
  // The next answer must not be mistaken for this one.
  await block.locator('.btn-clear').click();
  await answer.waitFor({ state: 'detached' });
  return said;
}

const statusOf = async (answer: Locator): Promise<number> =>
  Number.parseInt(await answer.locator('.response-col_status').innerText(), 10);
const textOf = (answer: Locator): Promise<string> => answer.locator('.highlight-code pre').first().innerText();

const TASKS = 'Scheduled tasks';
let id: string;

it('opens, and names what can be done', async () => {
  await page.goto(`${house.url}/docs`);
  await page.getByRole('heading', { name: 'Horarium' }).waitFor();
  for (const tag of [TASKS, 'Runs', 'Threads', 'Agent runs', 'Assistants', 'API keys', 'Health']) {
    await page.locator(`h3.opblock-tag[data-tag="${tag}"]`).waitFor();
  }
});

it('Authorize takes a token', async () => {
  await page.locator('.auth-wrapper button.authorize').first().click();
  await page.locator('.auth-container input').fill(await house.token('alice'));
  await page.locator('.auth-btn-wrapper button.authorize').click();
  await page.locator('.auth-container').getByText('Authorized').waitFor();
  await page.locator('.auth-btn-wrapper .btn-done').click();
});

it('registers the task that is filled in already', async () => {
  const { status, body } = await execute(TASKS, 'tasks_create');
  expect([status, body]).toEqual([201, expect.objectContaining({ title: 'Morning news', status: 'enabled' })]);
  id = String(body['id']);
});

it('runs it now, and shows the run in its history', async () => {
  const { status, body } = await execute(TASKS, 'tasks_trigger', { id });
  expect([status, body]).toEqual([200, { id, triggered: true, task_run_id: expect.any(String) }]);
  await signals.until(id, 'success');
  const history = await execute('Runs', 'runs_ofTask', { id });
  expect(history.body).toEqual([
    expect.objectContaining({ id: body['task_run_id'], status: 'success', trigger: 'manual' }),
  ]);
  const [{ run_id }] = history.body as unknown as [{ run_id: string }];
  const run = await execute('Agent runs', 'agentRuns_one', { id: run_id });
  expect(run.body).toMatchObject({ status: 'success', output: expect.stringMatching(/\S/) });
});

it('pauses, resumes and edits it', async () => {
  expect((await execute(TASKS, 'tasks_pause', { id })).body).toMatchObject({ status: 'paused' });
  expect((await execute(TASKS, 'tasks_resume', { id })).body).toMatchObject({ status: 'enabled' });
  const edited = await execute(TASKS, 'tasks_update', { id, body: { title: 'Evening <b>news</b>' } });
  expect(edited.body).toMatchObject({ title: 'Evening <b>news</b>' });
  expect((await execute(TASKS, 'tasks_one', { id })).body).toMatchObject({
    title: 'Evening <b>news</b>',
    run_count: 1,
  });
});

it('tells of a refusal in words', async () => {
  const before = complaints.length;
  const refused = await execute(TASKS, 'tasks_update', { id, body: { colour: 'red' } });
  expect([refused.status, refused.body['detail']]).toEqual([422, 'colour is not a known field']);
  // Chromium itself notes each answer that is no success.
  expect(complaints.splice(before)).toEqual([expect.stringMatching(/^error: Failed to load resource.*422/)]);
});

it('deletes it', async () => {
  expect((await execute(TASKS, 'tasks_delete', { id })).body).toEqual({ id, deleted: true });
  expect((await execute(TASKS, 'tasks_list')).body).toEqual([]);
});

it('the browser had nothing to complain of, and asked nobody else', () => {
  expect(complaints).toEqual([]);
});
