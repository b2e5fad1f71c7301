// Two people fill the same survey, each in a browser page of their own. What the browser complains about fails the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type Client, testApp, type TestApp } from '../support/app';
import { FIELDS } from '../support/surveys/survey-builder';

// A browser on a busy machine takes its time.
jest.setTimeout(120_000);

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];

let house: TestApp;
let context: BrowserContext;
let alice: Page;
let bob: Page;
let client: Client;
let id: string;
const profile = mkdtempSync(join(tmpdir(), 'horarium-browser-'));
const complaints: string[] = [];

beforeAll(async () => {
  house = await testApp();
  client = await house.as('alice');
  const { body } = await client.post('/api/1.0/surveys', {
    title: 'Launch <b>questions</b>',
    description: 'Before Friday.',
    fields: FIELDS,
    members: ['bob'],
  });
  id = body.id as string;
  context = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, args: ARGUMENTS });
  [alice, bob] = [await newPage(), await newPage()];
});
afterAll(async () => {
  await context.close();
  await house.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
});

async function newPage(): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(house.url) && !request.url().startsWith('data:')) {
      complaints.push(`elsewhere: ${request.url()}`);
    }
    if (request.url().includes('token')) complaints.push(`a token in an address: ${request.url()}`);
  });
  return page;
}

const name = (page: Page) => page.getByLabel('What is it called?');
const fieldOf = (page: Page, key: string) => page.locator(`.field[data-key="${key}"]`);

/** As somebody does it: the field is entered, filled and left. */
async function answered(page: Page, label: string, fill: (field: Locator) => Promise<unknown>): Promise<void> {
  const field = page.getByLabel(label);
  await field.focus();
  await page.getByText('You are editing this.').waitFor();
  await fill(field);
  await field.blur();
}

/** Asked of the page again and again, since its own rules let nobody bring code into it. */
async function shows(page: Page, element: string, value: string): Promise<void> {
  const field = page.locator(`#${element}`);
  await field.waitFor();
  while ((await field.inputValue()) !== value) await page.evaluate('new Promise(requestAnimationFrame)');
}

it('asks for a token, refuses a wrong one in words, and opens with a good one', async () => {
  await alice.goto(`${house.url}/surveys/${id}`);
  await alice.getByLabel('Your token or API key').fill('wrong');
  await alice.getByRole('button', { name: 'Open the survey' }).click();
  await alice.getByRole('alert').getByText('This token is not valid').waitFor();
  // Chromium itself notes each answer that is no success.
  expect(complaints.splice(0)).toEqual([expect.stringMatching(/^error: Failed to load resource.*401/)]);
  await alice.getByLabel('Your token or API key').fill(await house.token('alice'));
  await alice.getByRole('button', { name: 'Open the survey' }).click();
  await alice.getByRole('heading', { name: 'Launch <b>questions</b>' }).waitFor();
  await alice.getByText('Connected.').waitFor();
});

it('a link may carry the token, which is out of sight at once', async () => {
  await bob.goto(`${house.url}/surveys/${id}#token=${await house.token('bob')}`);
  await bob.getByText('Connected.').waitFor();
  expect(bob.url()).toBe(`${house.url}/surveys/${id}`);
  await alice.getByRole('listitem').getByText('bob').waitFor();
});

it('whoever is at a field is shown to the other, who sees them type and cannot write', async () => {
  await name(alice).focus();
  await fieldOf(bob, 'name').getByText('alice is editing this.').waitFor();
  await bob.getByRole('listitem').getByText('alice: What is it called?').waitFor();
  await name(alice).pressSequentially('Hor');
  await shows(bob, 'field-name', 'Hor');
  expect(await name(bob).isEditable()).toBe(false);
  await name(alice).pressSequentially('arium');
  await name(alice).blur();
  await fieldOf(bob, 'name').getByText('alice is editing this.').waitFor({ state: 'hidden' });
  await shows(bob, 'field-name', 'Horarium');
  expect(await name(bob).isEditable()).toBe(true);
  expect((await client.get(`/api/1.0/surveys/${id}`)).body.answers).toMatchObject([
    { field_key: 'name', value: 'Horarium', version: 1, updated_by: 'alice' },
  ]);
});

it('each type of field is filled, by both, and both pages end the same', async () => {
  await answered(bob, 'What may it cost?', (field) => field.fill('12,5'));
  await answered(alice, 'Which colour?', (field) => field.selectOption('green'));
  await answered(bob, 'When do we launch?', (field) => field.fill('2027-03-31'));
  await alice.getByLabel('The contract', { exact: true }).fill('a.pdf');
  await answered(alice, 'The contract: file id', (field) => field.fill('f-1'));
  for (const page of [alice, bob]) {
    await shows(page, 'field-budget', '12.5');
    await shows(page, 'field-colour', 'green');
    await shows(page, 'field-launch_day', '2027-03-31');
    await shows(page, 'field-contract-id', 'f-1');
  }
  const { body } = await client.get(`/api/1.0/surveys/${id}`);
  const answers = body.answers as { field_key: string; value: unknown; updated_by: string }[];
  expect(Object.fromEntries(answers.map((one) => [one.field_key, [one.value, one.updated_by]]))).toEqual({
    name: ['Horarium', 'alice'],
    budget: [12.5, 'bob'],
    colour: ['green', 'alice'],
    launch_day: ['2027-03-31', 'bob'],
    contract: [{ file_id: 'f-1', name: 'a.pdf' }, 'alice'],
  });
});

it('what is no answer is said beside the field', async () => {
  await answered(bob, 'What may it cost?', (field) => field.fill('-3'));
  await fieldOf(bob, 'budget').getByRole('alert').getByText('at least 0').waitFor();
  expect(await bob.getByLabel('What may it cost?').getAttribute('aria-invalid')).toBe('true');
  await answered(bob, 'What may it cost?', (field) => field.fill('3'));
  await shows(alice, 'field-budget', '3');
});

it('a page that is loaded again has everything, and a lock that was taken away is said', async () => {
  await bob.reload();
  await bob.getByText('Connected.').waitFor();
  expect(await name(bob).inputValue()).toBe('Horarium');
  await name(bob).focus();
  await fieldOf(bob, 'name').getByText('You are editing this.').waitFor();
  await client.delete(`/api/1.0/surveys/${id}/locks/name`);
  await fieldOf(bob, 'name').getByRole('alert').getByText('Your turn at this field was ended.').waitFor();
});

it('everything has a name, and can be reached by keyboard', async () => {
  const inputs = "[...document.querySelectorAll('#survey :is(input, select, textarea)')]";
  const nameless = await alice.evaluate(
    `${inputs}.filter((input) => input.labels.length === 0 && !input.hasAttribute('aria-label')).length`,
  );
  expect(nameless).toBe(0);
  await name(alice).focus();
  for (const key of ['budget', 'colour']) {
    await alice.keyboard.press('Tab');
    expect(await alice.evaluate('document.activeElement.id')).toBe(`field-${key}`);
  }
});

it('whoever is removed is shown the door', async () => {
  await client.patch(`/api/1.0/surveys/${id}`, { members: [] });
  await bob.getByText('This survey is not there for you any more.').waitFor();
  expect(await bob.locator('.field').count()).toBe(0);
});

it('the browser had nothing to complain of, and asked nobody else', () => {
  expect(complaints).toEqual([]);
});
