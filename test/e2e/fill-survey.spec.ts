// Many fill one survey at once, over one house: the contract of /socket/fill-survey, step by step.
import { type Client, testApp, type TestApp } from '../support/app';
import { socketClient } from '../support/sockets';
import { anUpdate, FILL_SURVEY, type SurveyPage, surveyPage } from '../support/surveys/pages';
import { FIELDS } from '../support/surveys/survey-builder';

const SURVEYS = '/api/1.0/surveys';
const EXPIRE = `update survey_locks set expires_at = clock_timestamp() - interval '1 second' where survey_id = $1`;

let house: TestApp;
let alice: Client;
let id: string;
const pages: SurveyPage[] = [];
beforeAll(async () => {
  house = await testApp();
  alice = await house.as('alice');
});
afterAll(async () => {
  for (const page of pages) page.close();
  await house.close();
});
beforeEach(async () => {
  const { body } = await alice.post(SURVEYS, { title: 'Launch', fields: FIELDS, members: ['bob', 'carol'] });
  id = body.id as string;
});

const opened = async (...[user, more]: [string, Parameters<typeof surveyPage>[3]?]): Promise<SurveyPage> => {
  const page = await surveyPage(house, user, id, more);
  pages.push(page);
  return page;
};
const refused = (code: string, more: object = {}): object => ({
  ok: false,
  error: expect.objectContaining({ code, ...more }),
});

describe('coming in', () => {
  it('needs a token and a session', async () => {
    const token = await house.token('bob');
    const session = 'a-session-of-mine';
    for (const [auth, code] of [
      [{ session }, 'unauthorized'],
      [{ token: 'forged', session }, 'unauthorized'],
      [{ token }, 'bad_request'],
      [{ token, session: 'short' }, 'bad_request'],
      [{ token, session: { a: 1 } }, 'bad_request'],
    ] as const) {
      await expect(socketClient(house.url, FILL_SURVEY, auth)).rejects.toMatchObject({ data: { code } });
    }
  });

  it('a survey answers with all there is to know, or with what is newer than the client knows', async () => {
    const bob = await opened('bob');
    await bob.say('editing', { field_key: 'budget' });
    for (const [field_key, value] of [
      ['name', 'A'],
      ['colour', 'red'],
    ]) {
      await alice.put(`${SURVEYS}/${id}/answers/${field_key}`, { value, base_version: 0 });
    }
    const carol = await opened('carol', { join: false });
    const answer = { version: 1, updated_by: 'alice', updated_at: expect.stringMatching(/\+00:00$/) };
    expect(await carol.say('join')).toEqual({
      ok: true,
      answers: [
        { field_key: 'name', value: 'A', rev: 1, ...answer },
        { field_key: 'colour', value: 'red', rev: 2, ...answer },
      ],
      locks: [{ field_key: 'budget', user: 'bob', session: bob.session, mine: false, expires_at: expect.any(String) }],
      present: [
        { user: 'bob', session: bob.session, field_key: 'budget' },
        { user: 'carol', session: carol.session, field_key: null },
      ],
      lock_ttl_ms: 30_000,
      status: 'open',
      rev: 2,
    });
    expect((await carol.say('join', { since: 1 }))['answers']).toHaveLength(1);
    expect(await bob.next('presence', ({ user }) => user === 'carol')).toEqual({
      survey_id: id,
      type: 'join',
      user: 'carol',
      session: carol.session,
      field_key: null,
    });
    expect((await bob.say('join'))['locks']).toMatchObject([{ mine: true }]);
  });

  it('somebody else’s survey is not there, and nothing of it is heard', async () => {
    const dora = await opened('dora', { join: false });
    const other = await opened('alice', { join: false, tenantId: await house.tenant('second') });
    for (const stranger of [dora, other]) {
      expect(await stranger.say('join')).toEqual(refused('not_found'));
      for (const [event, more] of [
        ['editing', { field_key: 'name' }],
        ['edit', { field_key: 'name', fence: 1, draft: 'x' }],
        ['update', anUpdate(1)],
        ['endedit', { field_key: 'name', fence: 1 }],
      ] as const) {
        expect(await stranger.say(event, more)).toEqual(refused('not_joined'));
      }
      expect(await stranger.ask('join', { survey_id: `survey ${id}` })).toEqual(refused('not_found'));
    }
    const bob = await opened('bob');
    await bob.say('editing', { field_key: 'name' });
    await bob.next('lock');
    await dora.say('leave');
    expect([...dora.heard, ...other.heard].map(({ event }) => event)).toEqual(['hello', 'hello']);
  });
});

it('the steps of the contract', async () => {
  const [a, b] = [await opened('bob'), await opened('carol')];
  const lock = await a.say('editing', { field_key: 'name' });
  expect(lock).toEqual({ ok: true, fence: 1, expires_at: expect.any(String) });
  expect(await b.next('lock')).toEqual({
    survey_id: id,
    field_key: 'name',
    user: 'bob',
    session: a.session,
    expires_at: lock['expires_at'],
  });
  expect(await b.next('presence', ({ type }) => type === 'move')).toMatchObject({ user: 'bob', field_key: 'name' });
  expect(await b.say('editing', { field_key: 'name' })).toEqual(
    refused('locked', { holder: { user: 'bob', session: a.session }, expires_at: lock['expires_at'] }),
  );

  const update = anUpdate(1);
  const written = await a.say('update', update);
  expect(written).toEqual({ ok: true, version: 1, updated_at: expect.any(String), rev: 1 });
  expect(await b.next('updated')).toEqual({
    survey_id: id,
    field_key: 'name',
    value: 'Horarium',
    version: 1,
    user: 'bob',
    updated_at: written['updated_at'],
    rev: 1,
  });
  expect(await a.say('update', update)).toEqual(written);
  expect(await b.say('update', anUpdate(1, { base_version: 1 }))).toEqual(
    refused('lock_lost', { holder: { user: 'bob', session: a.session } }),
  );
  expect(await a.say('update', anUpdate(1, { value: 'other' }))).toEqual(
    refused('conflict', { current: expect.objectContaining({ value: 'Horarium', version: 1, updated_by: 'bob' }) }),
  );

  // A is silent past the end of its lock.
  await house.database.admin.query(EXPIRE, [id]);
  house.ticker.wake('survey-locks');
  expect(await b.next('unlock')).toEqual({ survey_id: id, field_key: 'name', reason: 'expired' });
  expect(await b.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 2 });
  expect(await a.say('update', anUpdate(1, { base_version: 1 }))).toEqual(
    refused('lock_lost', { holder: { user: 'carol', session: b.session } }),
  );
  // B leaves: at once.
  b.close();
  expect(await a.next('unlock', ({ reason }) => reason !== 'expired')).toMatchObject({ reason: 'released' });
  expect(await a.next('presence', ({ type }) => type === 'leave')).toMatchObject({ user: 'carol' });
  expect(await a.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 3 });
  expect(await a.say('endedit', { field_key: 'name', fence: 3 })).toEqual({ ok: true, released: true });
  expect(await a.say('endedit', { field_key: 'name', fence: 3 })).toEqual({ ok: true, released: false });
  const { body } = await alice.get(`${SURVEYS}/${id}/history`);
  expect(body).toHaveLength(1);
});

it('two pages of one person do not fight silently', async () => {
  const [one, two] = [await opened('bob'), await opened('bob')];
  await one.say('editing', { field_key: 'name' });
  expect(await two.say('editing', { field_key: 'name' })).toEqual(refused('locked'));
});

it('a page whose line broke has five seconds to come back, and goes on with what it held', async () => {
  const [bob, carol] = [await opened('bob'), await opened('carol')];
  await bob.say('editing', { field_key: 'name' });
  await carol.next('lock');
  bob.socket.io.engine.close();
  const back = await opened('bob', { session: bob.session });
  expect(await back.say('editing', { field_key: 'name' })).toMatchObject({ ok: true, fence: 1 });
  // Gone for good: its lock ends by itself, before its time.
  back.socket.io.engine.close();
  expect(await carol.next('unlock')).toMatchObject({ reason: 'disconnected' });
  expect(await carol.next('presence', ({ type }) => type === 'leave')).toMatchObject({ user: 'bob' });
});

it('drafts are seen by the others, are not kept, and are the holder’s only', async () => {
  const [bob, carol] = [await opened('bob'), await opened('carol')];
  const { fence } = await bob.say('editing', { field_key: 'name' });
  const draft = { field_key: 'name', fence: fence as number, draft: 'Hor' };
  expect(await bob.say('edit', draft)).toEqual({ ok: true });
  expect(await carol.next('draft')).toMatchObject({ user: 'bob', session: bob.session, draft: 'Hor' });
  expect(await bob.say('edit', { ...draft, fence: 7 })).toEqual(refused('lock_lost'));
  expect(await carol.say('edit', draft)).toEqual(refused('lock_lost'));
  // Five are let through in a second, however long the machine takes over them all.
  const many = await Promise.all(Array.from({ length: 40 }, () => bob.say('edit', draft)));
  expect(many[0]).toEqual({ ok: true });
  expect(many.filter(({ ok }) => ok !== true).length).toBeGreaterThan(0);
  expect((await carol.say('join'))['answers']).toEqual([]);
});

it('a lock is taken away over HTTP, and what was not saved is refused', async () => {
  const bob = await opened('bob');
  await bob.say('editing', { field_key: 'name' });
  expect((await alice.put(`${SURVEYS}/${id}/answers/name`, { value: 'x', base_version: 0 })).body).toMatchObject({
    code: 'survey-collaboration.locked',
    detail: 'bob is editing this field.',
  });
  expect((await alice.get(`${SURVEYS}/${id}`)).body.locks).toMatchObject([{ field_key: 'name', user: 'bob' }]);
  expect((await alice.delete(`${SURVEYS}/${id}/locks/name`)).body).toMatchObject({ unlocked: true, user: 'bob' });
  expect(await bob.next('unlock')).toMatchObject({ field_key: 'name', reason: 'forced' });
  expect(await bob.say('update', anUpdate(1))).toEqual(refused('lock_lost'));
});

it('a member who is removed while connected is out at once, and so is everybody of a deleted survey', async () => {
  const [bob, carol] = [await opened('bob'), await opened('carol')];
  await bob.say('editing', { field_key: 'name' });
  await alice.patch(`${SURVEYS}/${id}`, { members: ['carol'] });
  expect(await bob.next('removed')).toEqual({ survey_id: id, users: ['bob'] });
  expect(await carol.next('unlock')).toMatchObject({ reason: 'forced' });
  expect(await carol.next('presence', ({ type }) => type === 'leave')).toMatchObject({ user: 'bob' });
  expect(await carol.next('changed')).toEqual({ survey_id: id, rev: 1 });
  const before = bob.heard.length;
  expect(await bob.say('update', anUpdate(1))).toEqual(refused('not_joined'));
  expect(await bob.say('join')).toEqual(refused('not_found'));
  const { fence } = await carol.say('editing', { field_key: 'name' });
  await carol.say('update', anUpdate(fence as number));
  await carol.next('updated');
  expect((await carol.say('join'))['present']).toEqual([{ user: 'carol', session: carol.session, field_key: 'name' }]);
  expect(bob.heard.slice(before).map(({ event }) => event)).toEqual([]);
  await alice.delete(`${SURVEYS}/${id}`);
  expect(await carol.next('removed', ({ users }) => users === null)).toEqual({ survey_id: id, users: null });
  expect(await carol.say('update', anUpdate(fence as number, { base_version: 1 }))).toEqual(refused('not_found'));
});

it('a survey that is closed takes no more, and says so', async () => {
  const bob = await opened('bob');
  const { fence } = await bob.say('editing', { field_key: 'name' });
  await alice.patch(`${SURVEYS}/${id}`, { status: 'closed' });
  expect(await bob.next('unlock')).toMatchObject({ reason: 'forced' });
  const closed = refused('conflict', { reason: 'survey-collaboration.survey-closed' });
  expect(await bob.say('update', anUpdate(fence as number))).toEqual(closed);
  expect(await bob.say('editing', { field_key: 'name' })).toEqual(closed);
  expect((await bob.say('join'))['status']).toBe('closed');
});

describe('what is no good event', () => {
  const update = { field_key: 'name', fence: 1, base_version: 0, value: 'x', op_id: 'a' };
  it.each([
    ['an unknown one', 'unknown', {}, 'unknown_event'],
    ['one that every object has', 'toString', {}, 'unknown_event'],
    ['without its field', 'editing', {}, 'bad_request'],
    ['with a field too many', 'editing', { field_key: 'name', colour: 'red' }, 'bad_request'],
    ['of a field that is not there', 'editing', { field_key: 'size' }, 'not_found'],
    ['a fence as a text', 'update', { ...update, fence: '1' }, 'bad_request'],
    ['no operation id', 'update', { ...update, op_id: '' }, 'bad_request'],
    ['no value', 'update', { ...update, value: undefined }, 'bad_request'],
    ['a NUL', 'update', { ...update, value: 'x\0' }, 'bad_request'],
    ['17 kB', 'update', { ...update, value: 'x'.repeat(17_000) }, 'payload_too_large'],
  ])('%s is answered with its code', async (_, event, payload, code) => {
    const bob = await opened('bob');
    expect(await bob.say(event, payload)).toEqual(refused(code));
    bob.close();
  });

  it('the longest answer fits, in characters of four bytes', async () => {
    const { body } = await alice.post(SURVEYS, { title: 'Long', fields: [{ key: 'name', label: 'x', type: 'text' }] });
    id = body.id as string;
    const page = await opened('alice');
    const { fence } = await page.say('editing', { field_key: 'name' });
    const value = '😀'.repeat(3_000);
    expect(await page.say('update', anUpdate(fence as number, { value }))).toMatchObject({ ok: true, version: 1 });
    expect((await page.next('updated'))['value']).toBe(value);
  });
});

it('twenty who come for the same field at once: one has it', async () => {
  const racers = await Promise.all(Array.from({ length: 20 }, () => opened('bob')));
  const answers = await Promise.all(racers.map((page) => page.say('editing', { field_key: 'name' })));
  expect(answers.filter(({ ok }) => ok === true)).toHaveLength(1);
});
