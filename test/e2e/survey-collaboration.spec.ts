// Surveys over HTTP and on the command line, through the whole application.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, testApp, type TestApp } from '../support/app';
import { horarium, type Horarium } from '../support/cli';
import { expectProblem } from '../support/http';
import { FIELDS } from '../support/surveys/survey-builder';

const SURVEYS = '/api/1.0/surveys';
const SURVEY = { title: 'Launch questions', fields: FIELDS, members: ['bob'] };

let house: TestApp;
let alice: Client;
let bob: Client;
let carol: Client;
let manager: Client;
beforeAll(async () => {
  house = await testApp();
  alice = await house.as('alice');
  bob = await house.as('bob');
  carol = await house.as('carol');
  manager = await house.as('maria', { roles: ['manager'] });
});
afterAll(() => house.close());

const drawnUp = async (more: object = {}): Promise<string> => {
  const { body, status } = await alice.post(SURVEYS, { ...SURVEY, ...more });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.id as string;
};

describe('drawing up', () => {
  it('answers with the survey as it is kept', async () => {
    const { body, status } = await alice.post(SURVEYS, SURVEY);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^survey-[0-9a-f]{32}$/),
      title: 'Launch questions',
      description: null,
      fields: FIELDS.map((field) => ({
        help: null,
        required: false,
        min: null,
        max: null,
        options: null,
        max_length: field.type === 'text' ? 100 : null,
        ...field,
      })),
      audience: 'members',
      members: ['bob'],
      owner: 'alice',
      status: 'open',
      rev: 0,
      created_at: expect.stringMatching(/\+00:00$/),
      updated_at: expect.stringMatching(/\+00:00$/),
    });
    expect((await bob.get(`${SURVEYS}/${body.id}`)).body).toEqual({
      ...body,
      answers: [],
      locks: [],
      missing: ['name', 'launch_day'],
    });
  });

  it.each([
    [{ title: undefined }, 'title', 'request.invalid'],
    [{ colour: 'red' }, 'colour', 'request.invalid'],
    [{ fields: [{ key: 'a', label: 'A', type: 'text', size: 3 }] }, 'fields.0.size', 'request.invalid'],
    [{ fields: [] }, 'fields', 'survey-collaboration.invalid-survey'],
    [{ fields: [{ key: 'a', label: 'A', type: 'choice' }] }, 'fields.0.options', 'survey-collaboration.invalid-survey'],
    [{ title: 'two\nlines' }, 'title', 'survey-collaboration.invalid-survey'],
  ])('refuses %j by the name of the field', async (wrong, field, code) => {
    expectProblem(await alice.post(SURVEYS, { ...SURVEY, ...wrong }), { status: 422, code, field });
  });
});

describe('filling', () => {
  it('one answers after the other; each change is kept, with who and what was there', async () => {
    const id = await drawnUp();
    const answer = (client: Client, body: object) => client.put(`${SURVEYS}/${id}/answers/name`, body);
    expect((await answer(bob, { value: 'Chronos', base_version: 0 })).body).toEqual({
      field_key: 'name',
      value: 'Chronos',
      version: 1,
      updated_by: 'bob',
      updated_at: expect.any(String),
      rev: 1,
    });
    expectProblem(await answer(alice, { value: 'Kairos', base_version: 0 }), {
      status: 409,
      code: 'survey-collaboration.conflict',
      field: 'base_version',
      detail: /bob.*version 1/,
    });
    expectProblem(await answer(bob, { value: 'x', base_version: null }), {
      status: 403,
      code: 'survey-collaboration.not-yours-to-manage',
    });
    expect((await answer(alice, { value: 'Horarium', base_version: null, op_id: 'op-1' })).body.version).toBe(2);
    expect((await answer(alice, { value: 'Horarium', base_version: null, op_id: 'op-1' })).body.version).toBe(2);
    expectProblem(await answer(bob, { value: 7, base_version: 2 }), {
      status: 422,
      code: 'survey-collaboration.invalid-answer',
      field: 'value',
    });
    expectProblem(await answer(bob, { base_version: 2 }), { status: 422, code: 'request.invalid', field: 'value' });
    const history = await bob.get(`${SURVEYS}/${id}/history?field_key=name&limit=1`);
    expect(history.body).toEqual([
      expect.objectContaining({
        version: 2,
        updated_by: 'alice',
        old_value: 'Chronos',
        value: 'Horarium',
        overwrote: true,
      }),
    ]);
    const older = await bob.get(`${SURVEYS}/${id}/history?limit=5&cursor=${history.headers['x-next-cursor']}`);
    expect(older.body).toEqual([expect.objectContaining({ version: 1, old_value: null, overwrote: false })]);
    expectProblem(await bob.get(`${SURVEYS}/${id}/history?field_key=size`), {
      status: 404,
      code: 'survey-collaboration.field-not-found',
      field: 'field_key',
    });
  });

  it('comes out as JSON and as CSV', async () => {
    const id = await drawnUp();
    await bob.put(`${SURVEYS}/${id}/answers/name`, { value: 'a, "b"', base_version: 0 });
    const json = await bob.get(`${SURVEYS}/${id}/export`);
    expect(json.body).toMatchObject({ id, answers: [{ value: 'a, "b"' }], exported_at: expect.any(String) });
    expect(json.headers['content-disposition']).toBe(`attachment; filename="${id}.json"`);
    const csv = await bob.get(`${SURVEYS}/${id}/export?format=csv`);
    expect(csv.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    expect(csv.text).toContain('name,What is it called?,text,true,"a, ""b""",1,bob,');
    expectProblem(await bob.get(`${SURVEYS}/${id}/export?format=xls`), {
      status: 422,
      code: 'request.invalid',
      field: 'format',
    });
  });
});

describe('managing', () => {
  it('is the owner’s and the managers’; what is closed is only read; what is deleted is gone', async () => {
    const id = await drawnUp();
    const path = `${SURVEYS}/${id}`;
    for (const request of [bob.patch(path, { title: 'x' }), bob.delete(path), bob.delete(`${path}/locks/name`)]) {
      expectProblem(await request, { status: 403, code: 'survey-collaboration.not-yours-to-manage' });
    }
    expect((await manager.patch(path, { status: 'closed', description: 'Over.' })).body).toMatchObject({
      status: 'closed',
      description: 'Over.',
      rev: 1,
    });
    expectProblem(await bob.put(`${path}/answers/name`, { value: 'x', base_version: 0 }), {
      status: 409,
      code: 'survey-collaboration.survey-closed',
    });
    expect((await alice.patch(path, { status: 'open' })).body).toMatchObject({ status: 'open', title: SURVEY.title });
    await bob.put(`${path}/answers/name`, { value: 'x', base_version: 0 });
    expectProblem(await alice.patch(path, { fields: FIELDS.slice(1) }), {
      status: 409,
      code: 'survey-collaboration.field-answered',
      field: 'fields',
    });
    expect((await alice.delete(`${path}/locks/name`)).body).toEqual({
      survey_id: id,
      field_key: 'name',
      unlocked: false,
      user: null,
    });
    expectProblem(await alice.delete(`${path}/locks/size`), {
      status: 404,
      code: 'survey-collaboration.field-not-found',
      field: 'field_key',
    });
    expect((await alice.delete(path)).body).toEqual({ id, deleted: true });
    expectProblem(await alice.get(path), {
      status: 404,
      code: 'survey-collaboration.survey-not-found',
      field: 'survey_id',
    });
  });

  it('whoever is no member finds nothing, in every way', async () => {
    const id = await drawnUp();
    const other = await house.as('alice', { tenantId: await house.tenant('second'), roles: ['manager'] });
    for (const client of [carol, other]) {
      const refusals = [
        client.get(`${SURVEYS}/${id}`),
        client.get(`${SURVEYS}/${id}/history`),
        client.get(`${SURVEYS}/${id}/export`),
        client.patch(`${SURVEYS}/${id}`, { title: 'x' }),
        client.delete(`${SURVEYS}/${id}`),
        client.delete(`${SURVEYS}/${id}/locks/name`),
        client.put(`${SURVEYS}/${id}/answers/name`, { value: 'x', base_version: 0 }),
      ];
      for (const refusal of refusals) {
        expectProblem(await refusal, {
          status: 404,
          code: 'survey-collaboration.survey-not-found',
          field: 'survey_id',
        });
      }
      expect((await client.get(SURVEYS)).body).toEqual([]);
    }
    await alice.patch(`${SURVEYS}/${id}`, { members: ['bob', 'carol'] });
    expect((await carol.get(SURVEYS)).body).toMatchObject([{ id }]);
    const first = await alice.get(`${SURVEYS}?limit=1&status=open`);
    const next = await alice.get(`${SURVEYS}?limit=1&cursor=${first.headers['x-next-cursor']}`);
    expect([first.body[0].id, next.body.length]).toEqual([id, 1]);
  });
});

describe('on the command line', () => {
  let run: Horarium;
  beforeAll(async () => {
    run = horarium({
      HORARIUM_URL: house.url,
      HORARIUM_TOKEN: await house.token('alice'),
      HORARIUM_DATA_DIR: house.dataDir,
    });
  });

  it('a survey is drawn up, answered, read, exported, closed and deleted', async () => {
    const file = join(house.dataDir, 'survey.json');
    writeFileSync(file, JSON.stringify({ ...SURVEY, title: 'From a file' }));
    const created = await run('survey', 'create', file);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const [id] = /survey-\w+/.exec(created.stdout) ?? [''];
    expect((await run('survey', 'answer', id, 'budget', '12.5')).stdout).toBe('budget is at version 1\n');
    expect((await run('survey', 'answer', id, 'contract', 'f-1:a.pdf', '--over')).stdout).toBe(
      'contract is at version 1\n',
    );
    const refused = await run('survey', 'answer', id, 'colour', 'blue');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('red, green') });
    const shown = (await run('survey', 'show', id)).stdout;
    expect(shown).toMatch(/budget +number +12\.5 +1 +alice/);
    expect(shown).toMatch(/contract +file +a\.pdf \(f-1\) +1 +alice/);
    expect((await run('survey', 'list', '--search', 'from a FILE')).stdout).toMatch(
      new RegExp(`${id} +From a file +open +5`),
    );
    expect((await run('survey', 'history', id, '--field', 'budget')).stdout).toMatch(/budget +1 +alice +- +12\.5/);
    expect((await run('survey', 'export', id, '--csv')).stdout).toContain(
      'budget,What may it cost?,number,false,12.5,1,alice',
    );
    expect(JSON.parse((await run('survey', 'export', id)).stdout)).toMatchObject({ id });
    expect((await run('survey', 'unlock', id, 'budget')).stdout).toBe('nobody was editing it\n');
    expect((await run('survey', 'close', id)).stdout).toBe(`${id} is closed\n`);
    expect((await run('survey', 'reopen', id, '--json')).stdout).toContain('"status":"open"');
    expect((await run('survey', 'delete', id)).stdout).toBe(`deleted ${id}\n`);
    expect((await run('survey', 'show', id)).code).toBe(4);
  });
});
