// Two instances on one database and one Redis behave as one; and when one of them is killed, the other goes on.
import { type Client, testApp, type TestApp } from '../support/app';
import { TestRedis } from '../support/redis';
import { removeScratch, scratchFolder } from '../support/scratch';
import { ServerProcess } from '../support/server-process';
import { anUpdate, pageWithToken, type SurveyPage, surveyPage } from '../support/surveys/pages';
import { FIELDS } from '../support/surveys/survey-builder';

jest.setTimeout(180_000);

const SURVEYS = '/api/1.0/surveys';
const SECRETS = {
  HORARIUM_JWT_SECRET: 'a secret of tests, longer than thirty-two characters',
  HORARIUM_ENCRYPTION_KEY: 'a key of tests, longer than thirty-two characters',
};

let redis: TestRedis;
let one: TestApp;
let two: TestApp;
let alice: Client;
let id: string;
const pages: SurveyPage[] = [];
beforeAll(async () => {
  redis = await TestRedis.start();
  one = await testApp({ REDIS_URL: redis.url });
  two = await testApp({ REDIS_URL: redis.url }, undefined, one.database);
  alice = await one.as('alice');
});
afterAll(async () => {
  for (const page of pages) page.close();
  await ServerProcess.endAll();
  await two.close();
  await one.close();
  await redis.close();
  removeScratch();
});
beforeEach(async () => {
  const { body } = await alice.post(SURVEYS, { title: 'Launch', fields: FIELDS, members: ['bob', 'carol'] });
  id = body.id as string;
});

async function opened(house: TestApp, user: string, more?: Parameters<typeof surveyPage>[3]): Promise<SurveyPage> {
  const page = await surveyPage(house, user, id, more);
  pages.push(page);
  return page;
}

it('locks, answers, drafts and presence of one are seen on the other', async () => {
  const [bob, carol] = [await opened(one, 'bob'), await opened(two, 'carol')];
  expect(await bob.next('presence', ({ user }) => user === 'carol')).toMatchObject({ type: 'join' });
  const { fence } = await bob.say('editing', { field_key: 'name' });
  expect(await carol.next('lock')).toMatchObject({ user: 'bob', session: bob.session });
  expect(await carol.say('editing', { field_key: 'name' })).toMatchObject({ error: { code: 'locked' } });
  await bob.say('edit', { field_key: 'name', fence, draft: 'Hor' });
  expect(await carol.next('draft')).toMatchObject({ draft: 'Hor' });
  expect(await bob.say('update', anUpdate(fence as number))).toMatchObject({ ok: true, version: 1, rev: 1 });
  expect(await carol.next('updated')).toMatchObject({ value: 'Horarium', version: 1, rev: 1 });
  await bob.say('endedit', { field_key: 'name', fence });
  expect(await carol.next('unlock')).toMatchObject({ reason: 'released' });
  expect(await carol.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 2 });
  // A page that comes back on the other instance is the same page.
  carol.socket.io.engine.close();
  const back = await opened(one, 'carol', { session: carol.session });
  expect(await back.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 2 });
});

it('a member removed through one is out on the other', async () => {
  const [bob, carol] = [await opened(two, 'bob'), await opened(two, 'carol')];
  await alice.patch(`${SURVEYS}/${id}`, { members: ['carol'] });
  expect(await bob.next('removed')).toMatchObject({ users: ['bob'] });
  await carol.next('changed');
  expect(await bob.say('editing', { field_key: 'name' })).toMatchObject({ error: { code: 'not_joined' } });
});

it('what was said while Redis was away is there for whoever joins again', async () => {
  const [bob, carol] = [await opened(one, 'bob'), await opened(two, 'carol')];
  await redis.stop();
  const { fence } = await bob.say('editing', { field_key: 'name' });
  expect(await bob.say('update', anUpdate(fence as number))).toMatchObject({ ok: true });
  await redis.start();
  expect(await carol.say('join', { since: 0 })).toMatchObject({
    rev: 1,
    answers: [{ value: 'Horarium' }],
    locks: [{ field_key: 'name', user: 'bob', mine: false }],
  });
});

it('an instance that is killed with -9 keeps its lock no longer than its time, and its answers for ever', async () => {
  const ttl = { SURVEY_LOCK_TTL_SECONDS: '3' };
  const folder = scratchFolder();
  const { url: DATABASE_URL, ownerUrl: DATABASE_MIGRATION_URL } = one.database;
  const environment = {
    DATABASE_URL,
    DATABASE_MIGRATION_URL,
    REDIS_URL: redis.url,
    PORT: '0',
    HORARIUM_DATA_DIR: folder,
  };
  const server = await ServerProcess.ready({ cwd: folder, env: { ...environment, ...SECRETS, ...ttl } });
  const bob = await pageWithToken(server.url, await one.token('bob'), id);
  const carol = await opened(two, 'carol');
  const { fence } = await bob.say('editing', { field_key: 'name' });
  await bob.say('update', anUpdate(fence as number));
  await carol.next('lock');
  await server.end('SIGKILL');
  expect(await carol.say('editing', { field_key: 'name' })).toMatchObject({
    error: { code: 'locked', holder: { user: 'bob' } },
  });
  expect(await carol.next('unlock')).toMatchObject({ field_key: 'name', reason: 'expired' });
  expect(await carol.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 2 });
  // The page of the dead instance comes back on a living one, with what it could not know.
  const back = await opened(one, 'bob', { session: bob.session, join: false });
  expect(await back.say('join')).toMatchObject({ answers: [{ value: 'Horarium', version: 1 }] });
  expect(await back.say('update', anUpdate(fence as number, { base_version: 1 }))).toMatchObject({
    error: { code: 'lock_lost', holder: { user: 'carol' } },
  });
});
