// The doors of schedule against bad input. Each refusal is a problem document in the contract's status that names the
// field at fault, and leaves every table as it was.
import { createHmac } from 'node:crypto';
import type { Client, TestApp } from '../../support/app';
import { testApp } from '../../support/app';
import { everythingStored, expectProblem, rawRequest, TASK, type ExpectedProblem } from '../../support/http';
import { title } from '../../support/schedule-cases';

let house: TestApp;
let alice: Client;
let token: string;
/** Of alice; what is refused is refused on a task that exists. */
let taskId: string;
let before: Record<string, string>;

beforeAll(async () => {
  house = await testApp({ SCHEDULE_MIN_ONCE_DELAY_SECONDS: '60' });
  alice = await house.as('alice');
  token = await house.token('alice');
  taskId = (await alice.post('/api/scheduled-tasks', TASK)).body.id;
});
afterAll(() => house.close());
beforeEach(async () => {
  before = await everythingStored(house.database);
});
afterEach(async () => expect(await everythingStored(house.database)).toEqual(before));

const invalid = (field: string, code = 'request.invalid', detail?: RegExp): ExpectedProblem => ({
  status: 422,
  code,
  field,
  ...(detail === undefined ? {} : { detail }),
});
const noTask = { ...TASK, thread_id: 'a-thread', context_mode: 'reuse_thread' };

describe('a task is refused', () => {
  const once = (schedule_spec: unknown, timezone = 'Europe/Berlin') => ({
    schedule_type: 'once',
    schedule_spec,
    timezone,
  });
  const cron = (text: unknown) => ({ schedule_spec: { cron: text } });
  const CRON = (detail: RegExp) => invalid('schedule_spec.cron', 'schedule.invalid-cron', detail);
  const RUN_AT = (detail: RegExp) => invalid('schedule_spec.run_at', 'schedule.invalid-run-at', detail);
  const ZONE = invalid('timezone', 'schedule.invalid-timezone', /zone/i);
  const TASK_FIELD = (field: string) => invalid(field, 'schedule.invalid-task');

  test.each<[string, object, ExpectedProblem]>([
    ['without a title', { title: undefined }, invalid('title', undefined, /^title is required$/)],
    ['with an empty title', { title: '' }, TASK_FIELD('title')],
    ['with a title of 256 characters', { title: 'é'.repeat(256) }, TASK_FIELD('title')],
    ['with a title that is a number', { title: 7 }, invalid('title', undefined, /^title must be a string$/)],
    ['with NUL in the title', { title: 'a\0b' }, invalid('title', undefined, /NUL/)],
    ['with half a surrogate pair in the title', { title: 'a\ud800b' }, invalid('title', undefined, /surrogate/)],
    ['without a prompt', { prompt: null }, invalid('prompt')],
    ['with an empty prompt', { prompt: '' }, TASK_FIELD('prompt')],
    ['with NUL in the prompt', { prompt: '\0' }, invalid('prompt', undefined, /NUL/)],
    ['with half a surrogate pair in the prompt', { prompt: '\udfff' }, invalid('prompt', undefined, /surrogate/)],
    [
      'with a prompt of 100,001 characters',
      { prompt: 'x'.repeat(100_001) },
      { status: 413, code: 'schedule.prompt-too-long', field: 'prompt', detail: /100000/ },
    ],
    ['of an unknown type', { schedule_type: 'daily' }, invalid('schedule_type', 'schedule.invalid-spec', /"daily"/)],
    ['without a schedule', { schedule_spec: undefined }, invalid('schedule_spec')],
    ['with a schedule that is a text', { schedule_spec: '* * * * *' }, invalid('schedule_spec', undefined, /object/)],
    ['with a schedule that is a list', { schedule_spec: ['* * * * *'] }, invalid('schedule_spec')],
    [
      'with an unknown key in its schedule',
      { schedule_spec: { cron: '* * * * *', jitter: 5 } },
      invalid('schedule_spec.jitter', 'schedule.invalid-spec', /"jitter"/),
    ],
    ['with NUL in the schedule', cron('* * * *\0*'), invalid('schedule_spec.cron', undefined, /NUL/)],
    [
      'with a moment beside its cron',
      { schedule_spec: { cron: '* * * * *', run_at: '2027-03-01' } },
      invalid('schedule_spec.run_at', 'schedule.invalid-spec', /type once/),
    ],
    ['without its cron', { schedule_spec: {} }, CRON(/five fields/)],
    ['with a cron that is a number', cron(5), CRON(/five fields/)],
    ['with an empty cron', cron(''), CRON(/./)],
    ['with a cron of six fields', cron('0 0 9 * * *'), CRON(/5|five/)],
    ['with a cron nickname', cron('@daily'), CRON(/./)],
    ['with minute 60', cron('60 * * * *'), CRON(/60/)],
    ['with 30 February', cron('0 0 30 2 *'), CRON(/./)],
    ['with a random cron', cron('H * * * *'), CRON(/H/)],
    ['with a cron of 10,000 characters', cron(`${'1,'.repeat(5_000)}1 * * * *`), CRON(/./)],
    ['without a zone', { timezone: undefined }, invalid('timezone', undefined, /^timezone is required$/)],
    ['with an empty zone', { timezone: '' }, ZONE],
    ['with a zone nobody knows', { timezone: 'Mars/Olympus' }, ZONE],
    ['with a zone that is a path', { timezone: '../../etc/passwd' }, ZONE],
    ['with a zone in lower case', { timezone: 'europe/berlin' }, ZONE],
    ['with an offset for a zone', { timezone: '+02:00' }, ZONE],
    ['once, without a moment', once({}), RUN_AT(/run_at/)],
    ['once, at an epoch number', once({ run_at: 1_800_000_000 }), RUN_AT(/./)],
    ['once, on 30 February', once({ run_at: '2027-02-30T09:00' }), RUN_AT(/./)],
    ['once, at hour 24', once({ run_at: '2027-03-01T24:00' }), RUN_AT(/./)],
    ['once, tomorrow in words', once({ run_at: 'tomorrow' }), RUN_AT(/./)],
    ['once, at a moment with NUL', once({ run_at: '2027-03-01\0' }), invalid('schedule_spec.run_at', undefined, /NUL/)],
    [
      'once, in the past',
      once({ run_at: '2001-01-01T00:00Z' }),
      invalid('schedule_spec.run_at', 'schedule.once-too-soon'),
    ],
    [
      'once, too soon',
      once({ delay_seconds: 30 }),
      invalid('schedule_spec.delay_seconds', 'schedule.once-too-soon', /at least 60/),
    ],
    [
      'once, after a broken delay',
      once({ delay_seconds: 1.5 }),
      invalid('schedule_spec.delay_seconds', 'schedule.invalid-spec'),
    ],
    [
      'once, at two moments',
      once({ delay_seconds: 600, run_at: '2027-03-01' }),
      invalid('schedule_spec.delay_seconds', 'schedule.invalid-spec'),
    ],
    [
      'once, with a cron beside the moment',
      once({ cron: '* * * * *', run_at: '2027-03-01' }),
      invalid('schedule_spec.cron', 'schedule.invalid-spec', /type cron/),
    ],
    [
      'for an assistant nobody knows',
      { assistant_id: 'nobody' },
      invalid('assistant_id', 'schedule.unknown-assistant'),
    ],
    ['for an assistant without a name', { assistant_id: '' }, TASK_FIELD('assistant_id')],
    ['in an unknown context mode', { context_mode: 'sometimes' }, TASK_FIELD('context_mode')],
    ['for a thread that it does not name', { context_mode: 'reuse_thread' }, TASK_FIELD('thread_id')],
    ['for a thread without a mode', { thread_id: 'a-thread' }, TASK_FIELD('thread_id')],
    ['for a thread with an impossible id', { ...noTask, thread_id: '../secrets' }, TASK_FIELD('thread_id')],
    [
      'for a thread that does not exist',
      noTask,
      { status: 404, code: 'schedule.thread-not-found', field: 'thread_id', detail: /"a-thread"/ },
    ],
    ['in a folder of its choice', { working_folder: '/etc' }, TASK_FIELD('working_folder')],
    ['in a relative folder', { working_folder: '../..' }, TASK_FIELD('working_folder')],
    ['with an unknown overlap policy', { overlap_policy: 'enqueue' }, TASK_FIELD('overlap_policy')],
    ['with a negative grace', { misfire_grace_seconds: -1 }, TASK_FIELD('misfire_grace_seconds')],
    ['with a broken grace', { misfire_grace_seconds: 0.5 }, invalid('misfire_grace_seconds')],
    ['with a field nobody knows', { tasks: 1 }, invalid('tasks', undefined, /^tasks is not a known field$/)],
    ['with an owner', { user_id: 'bob' }, invalid('user_id')],
    ['with a status', { status: 'completed' }, invalid('status')],
    ['with a next run', { next_run_at: '2027-01-01T00:00:00Z' }, invalid('next_run_at')],
  ])('%s', async (_, changes, problem) => {
    expectProblem(await alice.post('/api/scheduled-tasks', { ...TASK, ...changes }), problem);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'toInput'])(
    'with a field named %s, by its name',
    async (name) => {
      const body = JSON.stringify(TASK).replace('{', `{${JSON.stringify(name)}: {"title": "x"}, `);
      for (const path of ['/api/scheduled-tasks', `/api/scheduled-tasks/${taskId}`]) {
        const method = path.endsWith(taskId) ? 'PATCH' : 'POST';
        const bodyHere = method === 'POST' ? body : `{${JSON.stringify(name)}: {"title": "x"}}`;
        const headers = { 'Content-Type': 'application/json' };
        expectProblem(await rawRequest(house, path, { method, token, headers, body: bodyHere }), invalid(name));
      }
      const nested = JSON.stringify(TASK).replace('"cron":"0', `${JSON.stringify(name)}:"x","cron":"0`);
      const answer = await rawRequest(house, '/api/scheduled-tasks', {
        token,
        headers: { 'Content-Type': 'application/json' },
        body: nested,
      });
      expect(answer.body).toMatchObject({ status: 422, field: `schedule_spec.${name}` });
    },
  );

  it('with every fault at once, each named', async () => {
    const answer = await alice.post('/api/scheduled-tasks', { title: 5, colour: 'red' });
    expect(answer.status).toBe(422);
    expect(answer.body).not.toHaveProperty('field');
    const fields = (answer.body.errors as { field: string }[]).map(({ field }) => field);
    expect(fields.sort()).toEqual(['colour', 'prompt', 'schedule_spec', 'schedule_type', 'timezone', 'title']);
  });
});

describe('a change is refused', () => {
  test.each<[string, object, ExpectedProblem]>([
    ['of the title to nothing', { title: '' }, invalid('title', 'schedule.invalid-task')],
    ['of the title to half a pair', { title: '\ud83d' }, invalid('title')],
    ['to a bad cron', { schedule_spec: { cron: '* *' } }, invalid('schedule_spec.cron', 'schedule.invalid-cron')],
    ['to an unknown zone', { timezone: 'Nowhere' }, invalid('timezone', 'schedule.invalid-timezone')],
    ['to an unknown assistant', { assistant_id: 'x' }, invalid('assistant_id', 'schedule.unknown-assistant')],
    ['to reuse without a thread', { context_mode: 'reuse_thread' }, invalid('thread_id', 'schedule.invalid-task')],
    [
      'to a thread that does not exist',
      { context_mode: 'reuse_thread', thread_id: 'none' },
      { status: 404, code: 'schedule.thread-not-found', field: 'thread_id' },
    ],
    ['of the status', { status: 'enabled' }, invalid('status')],
    [
      'of the prompt to a novel',
      { prompt: 'x'.repeat(100_001) },
      { status: 413, code: 'schedule.prompt-too-long', field: 'prompt' },
    ],
  ])('%s, also for a copy', async (_, patch, problem) => {
    expectProblem(await alice.patch(`/api/scheduled-tasks/${taskId}`, patch), problem);
    expectProblem(await alice.post(`/api/scheduled-tasks/${taskId}/duplicate`, patch), problem);
  });
});

test('the type of a schedule cannot be changed, and to say what it is changes nothing', async () => {
  const path = `/api/scheduled-tasks/${taskId}`;
  const refused = invalid('schedule_type', 'schedule.invalid-task', /cannot be changed; this one is cron/);
  expectProblem(await alice.patch(path, { schedule_type: 'once', schedule_spec: { run_at: '2030-01-01' } }), refused);
  expect((await alice.patch(path, { schedule_type: 'cron' })).status).toBe(200);
});

describe('a preview is refused', () => {
  test.each<[string, object, ExpectedProblem]>([
    ['of nothing', {}, invalid('cron', 'schedule.invalid-task')],
    ['of both', { cron: '* * * * *', run_at: '2027-01-01' }, invalid('cron', 'schedule.invalid-task')],
    ['of a bad cron', { cron: '1 2 3' }, invalid('schedule_spec.cron', 'schedule.invalid-cron')],
    ['in no zone', { cron: '* * * * *', timezone: undefined }, invalid('timezone')],
    ['in an unknown zone', { cron: '* * * * *', timezone: 'X' }, invalid('timezone', 'schedule.invalid-timezone')],
    ['after a moment that is none', { cron: '* * * * *', after: 'soon' }, invalid('after', 'schedule.invalid-task')],
    ['of 51 runs', { cron: '* * * * *', count: 51 }, invalid('count')],
    ['of 0 runs', { cron: '* * * * *', count: 0 }, invalid('count')],
    ['of "5" runs', { cron: '* * * * *', count: '5' }, invalid('count')],
  ])('%s', async (_, body, problem) => {
    expectProblem(await alice.post('/api/cron/preview', { timezone: 'UTC', ...body }), problem);
  });
});

describe('a body is refused', () => {
  const json = { 'Content-Type': 'application/json' };
  const send = (body: string | Buffer, headers: Record<string, string> = json) =>
    rawRequest(house, '/api/scheduled-tasks', { token, headers, body });
  const good = JSON.stringify(TASK);

  test.each<[string, string]>([
    ['cut off', '{"title": "x'],
    ['with a comma too many', '{"title": "x",}'],
    ['that is prose', 'title=x'],
    ['that is a bare word', 'undefined'],
  ])('%s', async (_, body) => {
    expectProblem(await send(body), { status: 400, code: 'request.malformed-json', detail: /not valid JSON/ });
  });

  test.each(['null', '[]', '"text"', '7', 'true'])('that is %s', async (body) => {
    const answer = await send(body);
    expect([400, 422]).toContain(answer.status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });

  it('that is empty', async () => {
    expect((await send('')).status).toBe(422);
  });

  it('that is not UTF-8', async () => {
    const bytes = Buffer.from(good.replace('hello', 'hell\u00f8'), 'latin1');
    expectProblem(await send(bytes), { status: 400, code: 'request.not-utf8' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'of type %s',
    async (type) => {
      const answer = await send(good, { 'Content-Type': type });
      expectProblem(answer, { status: 415, code: 'request.unsupported-media-type', detail: /application\/json/ });
    },
  );

  it('in another character set or encoding', async () => {
    const latin = await send(good, { 'Content-Type': 'application/json; charset=iso-8859-1' });
    expectProblem(latin, { status: 415, code: 'request.unsupported-charset' });
    const coded = await send(good, { ...json, 'Content-Encoding': 'snappy' });
    expectProblem(coded, { status: 415, code: 'request.unsupported-encoding' });
  });

  it('of more than 256 KiB, and of 10 MB', async () => {
    const problem = { status: 413, code: 'request.too-large', detail: /256 KiB/ };
    for (const size of [256 * 1024, 10_000_000]) {
      expectProblem(await send(JSON.stringify({ ...TASK, prompt: 'x'.repeat(size) })), problem);
    }
    expectProblem(await send(`${' '.repeat(300_000)}${good}`), problem);
  });

  it('of nothing but brackets', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const answer = await send(good.replace('"title"', `"x":${deep},"title"`));
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: expect.stringMatching(/32 levels deep/) });
  });
});

describe('an id that is none', () => {
  const problems = {
    404: /(schedule|agent-run)\.(task|run|thread)-not-found|request\.unknown-route/,
    422: /request\.invalid/,
    400: /request\./,
  };
  const wild: [string, string][] = [
    ['unknown', 'task-00000000000000000000000000000000'],
    ['very long', 'x'.repeat(8_000)],
    ['of unicode', encodeURIComponent('задача-😀')],
    ['of blanks', '%20%20'],
    ['with NUL', 'task-%00'],
    ['NUL alone', '%00'],
    ['with half a surrogate', '%ED%A0%80'],
    ['badly encoded', '%zz'],
    ['a percent sign', '%'],
    ['of slashes', '..%2F..%2Fetc%2Fpasswd'],
    ['a path', 'a/b'],
    ['of SQL', encodeURIComponent("' or 1=1; drop table scheduled_tasks; --")],
    ['a wildcard', '%25'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['of markup', encodeURIComponent('<script>alert(1)</script>')],
    ['of line breaks', 'a%0d%0aSet-Cookie:%20x=1'],
  ];
  const doors: [string, string][] = [
    ['GET', '/api/scheduled-tasks/ID'],
    ['PATCH', '/api/scheduled-tasks/ID'],
    ['DELETE', '/api/scheduled-tasks/ID'],
    ['POST', '/api/scheduled-tasks/ID/pause'],
    ['POST', '/api/scheduled-tasks/ID/resume'],
    ['POST', '/api/scheduled-tasks/ID/trigger'],
    ['POST', '/api/scheduled-tasks/ID/duplicate'],
    ['GET', '/api/scheduled-tasks/ID/runs'],
    ['GET', '/api/scheduled-task-runs/ID'],
    ['GET', '/api/threads/ID/scheduled-tasks'],
    ['GET', '/api/threads/ID'],
    ['GET', '/api/threads/ID/messages'],
    ['GET', '/api/agent-runs/ID'],
    ['POST', '/api/agent-runs/ID/cancel'],
  ];

  test.each(wild)('%s: nothing there, at every door', async (_, id) => {
    for (const [method, door] of doors) {
      const headers: Record<string, string> =
        method === 'PATCH' || door.endsWith('duplicate') ? { 'Content-Type': 'application/json' } : {};
      const body = headers['Content-Type'] === undefined ? undefined : '{"title":"x"}';
      const answer = await rawRequest(house, door.replace('ID', id), { method, token, headers, ...(body && { body }) });
      const { code, detail, ...rest } = answer.body as { code: string; detail: string };
      expect(`${method} ${door}: ${answer.status} ${code}`).toMatch(/: (404|422|400) /);
      expect(code).toMatch(problems[answer.status as 404]);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      // An answer does not carry a novel back.
      expect(JSON.stringify({ detail, ...rest }).length).toBeLessThan(9_000);
    }
  });

  it('in a filter finds nothing', async () => {
    const answer = await alice.get('/api/scheduled-task-runs?task_id=nobody');
    expect([answer.status, answer.body]).toEqual([200, []]);
    expectProblem(await alice.get('/api/agent-runs?thread_id=nobody'), {
      status: 404,
      code: 'agent-run.thread-not-found',
      field: 'thread_id',
    });
  });
});

describe('a query is refused', () => {
  const list = '/api/scheduled-tasks';
  test.each<[string, string]>([
    [`${list}?limit=0`, 'limit'],
    [`${list}?limit=201`, 'limit'],
    [`${list}?limit=ten`, 'limit'],
    [`${list}?limit=1.5`, 'limit'],
    [`${list}?limit=1e1000`, 'limit'],
    [`${list}?limit=1e1`, 'limit'],
    [`${list}?limit=0x10`, 'limit'],
    [`${list}?limit=%2010`, 'limit'],
    [`${list}?limit=1&limit=2`, 'limit'],
    [`${list}?offset=-1`, 'offset'],
    [`${list}?offset=1000001`, 'offset'],
    [`${list}?offset=`, 'offset'],
    [`${list}?cursor=nonsense`, 'cursor'],
    [`${list}?cursor=`, 'cursor'],
    [`${list}?cursor=${Buffer.from('99999999999999999 x').toString('base64url')}`, 'cursor'],
    [`${list}?cursor=${Buffer.from('9999999999999999 x').toString('base64url')}`, 'cursor'],
    [`${list}?cursor=%00`, 'cursor'],
    [`${list}?status=success`, 'status'],
    [`${list}?status=enabled&status=paused`, 'status'],
    [`${list}?status[]=enabled`, 'status[]'],
    [`${list}?schedule_type=daily`, 'schedule_type'],
    [`${list}?q=%00`, 'q'],
    [`${list}?q=${'x'.repeat(201)}`, 'q'],
    [`${list}?assistant_id=${'x'.repeat(129)}`, 'assistant_id'],
    [`${list}?colour=red`, 'colour'],
    [`${list}?constructor=x`, 'constructor'],
    [`${list}?__proto__=x`, '__proto__'],
    ['/api/scheduled-task-runs?trigger=cron', 'trigger'],
    ['/api/scheduled-task-runs?since=yesterday', 'since'],
    ['/api/scheduled-task-runs?until=2026-02-30', 'until'],
    ['/api/scheduled-task-runs?task_id=%00', 'task_id'],
    ['/api/scheduled-task-runs?q=x', 'q'],
    ['/api/agent-runs', 'thread_id'],
    ['/api/agent-runs?thread_id=%00', 'thread_id'],
  ])('%s', async (path, field) => {
    const answer = await alice.get(path);
    expect(answer.body).toMatchObject({ status: 422, field });
    expectProblem(answer, { status: 422, code: expect.any(String), field });
  });

  test(title('wire-07'), async () => {
    for (const status of ['completed', 'nonsense', '', 'SUCCESS']) {
      const answer = await alice.get(`/api/scheduled-tasks/${taskId}/runs?status=${status}`);
      expectProblem(answer, invalid('status'));
    }
    for (const query of ['limit=0', 'limit=201', 'offset=-1']) {
      expectProblem(await alice.get(`/api/scheduled-tasks/${taskId}/runs?${query}`), invalid(query.split('=')[0]!));
    }
  });

  it('but moments at the ends of time are only far away', async () => {
    for (const moment of ['0001-01-01', '9999-12-31T23:59:59Z']) {
      const answer = await alice.get(`/api/scheduled-task-runs?since=${moment}`);
      expect([answer.status, answer.body]).toEqual([200, []]);
    }
  });
});

describe('who is not signed in', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: 'alice', tenant_id: 1, roles: ['user'], exp: 4_000_000_000 };
  const signed = (payload: object, secret: string, alg = 'HS256', hash = 'sha256'): string => {
    const content = `${part({ alg, typ: 'JWT' })}.${part(payload)}`;
    return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
  };
  const SECRET = 'a secret of tests, longer than thirty-two characters';
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

  test.each<[string, Record<string, string>, string]>([
    ['without a word', {}, 'auth.not-signed-in'],
    ['with a password', { Authorization: 'Basic YWxpY2U6eA==' }, 'auth.not-signed-in'],
    ['with nonsense', bearer('nonsense'), 'auth.token-invalid'],
    ['with an expired token', bearer(signed({ ...claims, exp: 1_000_000_000 }, SECRET)), 'auth.token-expired'],
    ['with a token without an end', bearer(signed({ ...claims, exp: undefined }, SECRET)), 'auth.token-invalid'],
    ['with a forged token', bearer(signed(claims, 'another secret, as long as the true one is')), 'auth.token-invalid'],
    ['with an unsigned token', bearer(`${part({ alg: 'none' })}.${part(claims)}.`), 'auth.token-invalid'],
    ['with another algorithm', bearer(signed(claims, SECRET, 'HS512', 'sha512')), 'auth.token-invalid'],
    ['with a token for nobody', bearer(signed({ ...claims, sub: undefined }, SECRET)), 'auth.token-invalid'],
    ['with a token for NUL', bearer(signed({ ...claims, sub: 'a\0' }, SECRET)), 'auth.token-invalid'],
    ['with a token of a tenant in words', bearer(signed({ ...claims, tenant_id: '1' }, SECRET)), 'auth.token-invalid'],
    ['with a token of no tenant here', bearer(signed({ ...claims, tenant_id: 999 }, SECRET)), 'auth.unknown-tenant'],
    ['with an API key nobody made', { 'X-API-Key': `hk_${'a'.repeat(43)}` }, 'auth.api-key-invalid'],
  ])('%s, is told so at every door', async (_, headers, code) => {
    for (const [method, path] of [
      ['GET', '/api/scheduled-tasks'],
      ['POST', '/api/scheduled-tasks'],
      ['DELETE', `/api/scheduled-tasks/${taskId}`],
      ['POST', `/api/scheduled-tasks/${taskId}/trigger`],
    ] as const) {
      const body = path === '/api/scheduled-tasks' && method === 'POST' ? JSON.stringify(TASK) : undefined;
      const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const answer = await rawRequest(house, path, { method, headers: { ...headers, ...type }, ...(body && { body }) });
      expectProblem(answer, { status: 401, code });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="horarium"');
    }
  });

  it('may not sign in by the address', async () => {
    const answer = await rawRequest(house, `/api/scheduled-tasks?access_token=${token}`, { method: 'GET' });
    expect(answer.status).toBe(401);
  });

  it('the signature of a good token is what opens the door', async () => {
    const answer = await rawRequest(house, '/api/scheduled-tasks', {
      method: 'GET',
      headers: bearer(signed(claims, SECRET)),
    });
    expect(answer.status).toBe(200);
  });

  it('an API key opens it until it is revoked', async () => {
    const made = await alice.post('/api/api-keys', { name: 'laptop' });
    const { key, id } = made.body as { key: string; id: string };
    const open = async (headers: Record<string, string>) =>
      (await rawRequest(house, `/api/scheduled-tasks/${taskId}`, { method: 'GET', headers })).status;
    expect([await open(bearer(key)), await open({ 'X-API-Key': key })]).toEqual([200, 200]);
    expect((await alice.delete(`/api/api-keys/${id}`)).status).toBe(200);
    expect([await open(bearer(key)), await open({ 'X-API-Key': key })]).toEqual([401, 401]);
  });
});

describe('the wrong way in', () => {
  it('a method that a path does not have: 405, with those it has', async () => {
    const answer = await rawRequest(house, `/api/scheduled-tasks/${taskId}`, { method: 'PUT', token });
    expectProblem(answer, { status: 405, code: 'request.method-not-allowed' });
    expect(answer.headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
    const pause = await rawRequest(house, `/api/scheduled-tasks/${taskId}/pause`, { method: 'GET', token });
    expectProblem(pause, { status: 405, code: 'request.method-not-allowed' });
  });

  it('an address that there is not: 404', async () => {
    expectProblem(await alice.get('/api/scheduled-tasks-nope'), { status: 404, code: 'request.unknown-route' });
    expectProblem(await alice.get('/scheduled-tasks'), { status: 404, code: 'request.unknown-route' });
  });

  it('the caller’s request id comes back when it is a sane one', async () => {
    const named = await alice.get('/api/scheduled-tasks/none').set('X-Request-Id', 'my-request.1');
    expect([named.headers['x-request-id'], named.body.request_id]).toEqual(['my-request.1', 'my-request.1']);
    const wild = await alice.get('/api/scheduled-tasks/none').set('X-Request-Id', 'a b<c>');
    expect(wild.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the operator’s timetable is for operators', async () => {
    expectProblem(await alice.get('/api/timetable'), { status: 403, code: 'auth.role-required' });
    const operator = await house.as('root', { roles: ['operator'] });
    expect((await operator.get('/api/timetable')).status).toBe(200);
  });

  it('no refusal was a fault of ours: nothing is in the log as failed', () => {
    expect(house.log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
