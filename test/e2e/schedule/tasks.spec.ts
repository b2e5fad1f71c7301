// What a person can do with tasks over HTTP, door by door; the exact fields of each answer; lists, their filters and
// pages; and that nobody sees what is somebody else's.
import type { Response } from 'supertest';
import type { Client, TestApp } from '../../support/app';
import { testApp } from '../../support/app';
import { everythingStored, expectProblem, TASK, withoutRequestId } from '../../support/http';
import { dataOf, title } from '../../support/schedule-cases';

let house: TestApp;
let alice: Client;
beforeAll(async () => {
  house = await testApp({ SCHEDULE_MIN_ONCE_DELAY_SECONDS: '60' });
  alice = await house.as('alice');
});
afterAll(() => house.close());

const TASKS = '/api/scheduled-tasks';
const ok = (answer: Response, status = 200): Record<string, unknown> => {
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.body as Record<string, unknown>;
};
const create = async (changes: object = {}, client = alice) =>
  ok(await client.post(TASKS, { ...TASK, ...changes }), 201) as { id: string } & Record<string, unknown>;
const read = async (id: string, client = alice) => ok(await client.get(`${TASKS}/${id}`));
const ids = (answer: Response): string[] => (answer.body as { id: string }[]).map(({ id }) => id);
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+00:00$/) as unknown;

/** Rows as the past left them: no door makes history by hand. */
async function history(
  taskId: string,
  rows: readonly { status: string; trigger?: string; at: string }[],
): Promise<void> {
  for (const [index, { status, trigger = 'scheduled', at }] of rows.entries()) {
    await house.database.admin.query(
      `insert into scheduled_task_runs (id, task_id, tenant_id, user_id, thread_id, trigger, status, scheduled_for, created_at)
       select $1, t.id, t.tenant_id, t.user_id, 'thread', $3, $4, $5, $5 from scheduled_tasks t where t.id = $2`,
      [`task-run-${taskId.slice(-24)}${String(index).padStart(8, '0')}`, taskId, trigger, status, at],
    );
  }
}

describe('registering a task', () => {
  it('answers 201 with the task as it is stored', async () => {
    const task = await create({ schedule_spec: { cron: '  0   9 * *  1-5 ' } });
    expect(task).toEqual({
      id: expect.stringMatching(/^task-[0-9a-f]{32}$/),
      thread_id: null,
      context_mode: 'fresh_thread_per_run',
      title: 'Morning news',
      prompt: 'Say hello.',
      schedule_type: 'cron',
      schedule_spec: { cron: '0 9 * * 1-5' },
      timezone: 'Europe/Berlin',
      status: 'enabled',
      next_run_at: MOMENT,
      last_run_at: null,
      last_run_id: null,
      last_thread_id: null,
      last_error: null,
      run_count: 0,
      created_at: MOMENT,
      updated_at: task['created_at'],
      assistant_id: 'default',
      working_folder: null,
      overlap_policy: 'skip',
      misfire_grace_seconds: null,
      queue_timeout_seconds: null,
      recurring: true,
      durable: true,
      session_id: null,
      missed_occurrences: 0,
    });
    const { next_runs, ...rest } = await read(task.id);
    expect(rest).toEqual(task);
    expect(next_runs).toEqual([task['next_run_at'], MOMENT, MOMENT]);
  });

  // Ours adds what a person may want to know or set; what the case keeps inside stays inside.
  test(title('wire-01'), async () => {
    const { fields } = dataOf<{ fields: string[] }>('wire-01');
    const task = await create();
    const added = [
      ...['assistant_id', 'working_folder', 'overlap_policy', 'misfire_grace_seconds', 'missed_occurrences'],
      ...['queue_timeout_seconds', 'recurring', 'durable', 'session_id'],
    ];
    expect(Object.keys(task).sort()).toEqual([...fields, ...added].sort());
    for (const answer of [task, await read(task.id)]) {
      for (const inner of ['user_id', 'tenant_id', 'lease_owner', 'lease_expires_at', 'version', 'deleted_at']) {
        expect(answer).not.toHaveProperty(inner);
      }
    }
  });

  test.each([
    ['SQL', `'; drop table scheduled_tasks; -- \\" \`id\` $1 {{x}}`],
    ['markup', '<script>alert("1")</script>&amp;<!-- -->'],
    ['emoji', '👩‍👩‍👧‍👦 naïve 日本語 \u202eright to left\u202c'],
    ['blanks and lines', '  two  \r\n\tthree\u00a0\u2028four \u0001 '],
    ['letters in two forms', 'é e\u0301 ﬀ'],
    ['a byte-order mark', '\ufeffbegin \uffff \u{10ffff}'],
    ['a blank alone', ' '],
    ['JSON', '{"__proto__": {"x": 1}}'],
  ])('stores %s exactly as sent', async (_, text) => {
    const { id } = await create({ title: text, prompt: text });
    expect(await read(id)).toMatchObject({ title: text, prompt: text });
    await alice.patch(`${TASKS}/${id}`, { title: `${text}!` });
    expect(await read(id)).toMatchObject({ title: `${text}!`, prompt: text });
    const found = await alice.get(`${TASKS}?q=${encodeURIComponent(text)}`);
    expect(ids(found)).toContain(id);
  });

  it('takes the longest texts', async () => {
    const task = await create({ title: '😀'.repeat(255), prompt: 'é'.repeat(100_000) });
    expect(await read(task.id)).toMatchObject({ title: '😀'.repeat(255), prompt: 'é'.repeat(100_000) });
  });

  it('once: a moment in the zone, an instant, or a delay', async () => {
    const wall = await create({ schedule_type: 'once', schedule_spec: { run_at: '2030-07-01 09:00' } });
    expect(wall).toMatchObject({
      schedule_spec: { run_at: '2030-07-01T09:00:00+02:00' },
      next_run_at: '2030-07-01T07:00:00+00:00',
    });
    const spec = { run_at: '2030-07-01T09:00:00Z' };
    const instant = await create({ schedule_type: 'once', schedule_spec: spec, timezone: 'Asia/Tokyo' });
    expect(instant).toMatchObject({ schedule_spec: { run_at: '2030-07-01T18:00:00+09:00' } });
    const delayed = await create({ schedule_type: 'once', schedule_spec: { delay_seconds: 600 } });
    const due = Date.parse(String(delayed['next_run_at'])) - Date.parse(String(delayed['created_at']));
    expect(due).toBe(600_000);
    expect(await read(String(delayed.id))).toMatchObject({ next_runs: [delayed['next_run_at']] });
  });

  it('on a thread of one’s own; without reuse the thread is let go', async () => {
    const thread = ok(await alice.post('/api/threads', { title: 'Talk' }), 201) as { id: string };
    const bound = await create({ context_mode: 'reuse_thread', thread_id: thread.id });
    const fresh = await create({ context_mode: 'fresh_thread_per_run', thread_id: thread.id });
    expect([bound['thread_id'], fresh['thread_id']]).toEqual([thread.id, null]);
    expect(ids(await alice.get(`/api/threads/${thread.id}/scheduled-tasks`))).toEqual([bound.id]);
  });
});

describe('changing a task', () => {
  it('null is the same as absent', async () => {
    const thread = ok(await alice.post('/api/threads', {}), 201) as { id: string };
    const task = await create({ context_mode: 'reuse_thread', thread_id: thread.id, misfire_grace_seconds: 60 });
    const before = await everythingStored(house.database);
    const nothing = {
      ...{ title: null, prompt: null, schedule_spec: null, timezone: null, context_mode: null, thread_id: null },
      ...{ assistant_id: null, working_folder: null, overlap_policy: null, misfire_grace_seconds: null },
    };
    for (const patch of [nothing, {}]) expect(ok(await alice.patch(`${TASKS}/${task.id}`, patch))).toEqual(task);
    expect(await everythingStored(house.database)).toEqual(before);
  });

  it('each field alone, the others stay', async () => {
    const { id } = await create();
    const patch = async (body: object) => ok(await alice.patch(`${TASKS}/${id}`, body));
    expect(await patch({ title: 'Evening news' })).toMatchObject({ title: 'Evening news', prompt: TASK.prompt });
    expect(await patch({ schedule_spec: { cron: '0 18 * * *' } })).toMatchObject({
      schedule_spec: { cron: '0 18 * * *' },
      timezone: 'Europe/Berlin',
    });
    const tokyo = await patch({ timezone: 'Asia/Tokyo' });
    expect(tokyo).toMatchObject({ timezone: 'Asia/Tokyo', schedule_spec: { cron: '0 18 * * *' } });
    expect(tokyo['next_run_at']).toMatch(/T09:00:00\+00:00$/);
    const thread = ok(await alice.post('/api/threads', {}), 201) as { id: string };
    const bound = await patch({ context_mode: 'reuse_thread', thread_id: thread.id });
    expect(bound).toMatchObject({ context_mode: 'reuse_thread', thread_id: thread.id });
    expect(await patch({ context_mode: 'fresh_thread_per_run' })).toMatchObject({ thread_id: null });
    expect(await patch({ misfire_grace_seconds: 5 })).toMatchObject({ misfire_grace_seconds: 5 });
    expect(await patch({ misfire_grace_seconds: 0 })).toMatchObject({ misfire_grace_seconds: null });
    expect(await read(id)).toMatchObject({ title: 'Evening news', timezone: 'Asia/Tokyo' });
  });

  it('pause, resume, and both again', async () => {
    const { id, next_run_at } = await create();
    const paused = ok(await alice.post(`${TASKS}/${id}/pause`));
    expect(paused).toMatchObject({ id, status: 'paused' });
    expect(await read(id)).toMatchObject({ next_runs: [] });
    expect(ok(await alice.post(`${TASKS}/${id}/pause`))).toEqual(paused);
    const resumed = ok(await alice.post(`${TASKS}/${id}/resume`));
    expect(resumed).toMatchObject({ status: 'enabled', next_run_at });
    expect(ok(await alice.post(`${TASKS}/${id}/resume`))).toEqual(resumed);
  });

  it('delete: gone from everywhere at once, its history stays', async () => {
    const { id } = await create();
    await history(id, [{ status: 'success', at: '2026-01-01T00:00:00Z' }]);
    expect(ok(await alice.delete(`${TASKS}/${id}`))).toEqual({ id, deleted: true });
    const gone = { status: 404, code: 'schedule.task-not-found' };
    for (const answer of [
      await alice.get(`${TASKS}/${id}`),
      await alice.get(`${TASKS}/${id}/runs`),
      await alice.patch(`${TASKS}/${id}`, { title: 'x' }),
      await alice.post(`${TASKS}/${id}/trigger`),
      await alice.delete(`${TASKS}/${id}`),
    ])
      expectProblem(answer, gone);
    expect(ids(await alice.get(`${TASKS}?limit=200`))).not.toContain(id);
    expect(ids(await alice.get(`/api/scheduled-task-runs?task_id=${id}`))).toHaveLength(1);
  });

  it('duplicate: the same rule under another name, without history', async () => {
    const task = await create({ misfire_grace_seconds: 7 });
    await history(task.id, [{ status: 'failed', at: '2026-01-01T00:00:00Z' }]);
    const copy = ok(await alice.post(`${TASKS}/${task.id}/duplicate`, {}), 201);
    expect(copy).toEqual({
      ...task,
      id: expect.stringMatching(/^task-[0-9a-f]{32}$/),
      title: 'Morning news (copy)',
      created_at: MOMENT,
      updated_at: MOMENT,
    });
    expect(copy['id']).not.toBe(task.id);
    expect(ids(await alice.get(`${TASKS}/${String(copy['id'])}/runs`))).toEqual([]);
    const other = await alice.post(`${TASKS}/${task.id}/duplicate`, { title: 'Other', timezone: 'UTC' });
    expect(ok(other, 201)).toMatchObject({ title: 'Other', timezone: 'UTC' });
  });

  it('duplicate without a body is fine', async () => {
    const { id } = await create();
    expect(ok(await alice.post(`${TASKS}/${id}/duplicate`), 201)).toMatchObject({ title: 'Morning news (copy)' });
  });
});

describe('a preview', () => {
  const preview = async (body: object) => ok(await alice.post('/api/cron/preview', body));

  it('answers instants, wall clock and words, and writes nothing', async () => {
    const before = await everythingStored(house.database);
    const asked = { cron: '30 9 * * 1', timezone: 'Europe/Berlin', after: '2026-07-01T00:00:00Z', count: 2 };
    expect(await preview(asked)).toEqual({
      runs: [
        { at: '2026-07-06T07:30:00+00:00', local: '2026-07-06T09:30:00+02:00' },
        { at: '2026-07-13T07:30:00+00:00', local: '2026-07-13T09:30:00+02:00' },
      ],
      description: 'At 09:30, only on Monday (Europe/Berlin)',
      warnings: [],
    });
    expect((await preview({ cron: '* * * * *', timezone: 'UTC' }))['runs']).toHaveLength(5);
    expect(await everythingStored(house.database)).toEqual(before);
  });

  it('marks clock changes and warns of the OR', async () => {
    const gap = { cron: '30 2 * * *', timezone: 'America/New_York', after: '2026-03-08T00:00:00-05:00', count: 1 };
    const { runs, warnings } = await preview(gap);
    expect(runs).toEqual([expect.objectContaining({ at: '2026-03-08T07:30:00+00:00', clock_change: 'moved' })]);
    expect(warnings).not.toEqual([]);
    const either = await preview({ cron: '0 0 13 * 5', timezone: 'UTC', count: 1 });
    expect(either['warnings']).toEqual([expect.stringMatching(/match either/)]);
  });

  it('of one moment', async () => {
    const once = await preview({ run_at: '2030-01-01T00:00', timezone: 'Asia/Tokyo' });
    expect(once['runs']).toEqual([{ at: '2029-12-31T15:00:00+00:00', local: '2030-01-01T00:00:00+09:00' }]);
  });
});

describe('lists', () => {
  let lena: Client;
  let made: string[];
  beforeAll(async () => {
    lena = await house.as('lena');
    made = [];
    for (let number = 1; number <= 7; number++) {
      const once = { schedule_type: 'once', schedule_spec: { run_at: '2030-01-01T00:00' } };
      const { id } = await create({ title: `Task ${number} 50%_off`, ...(number > 5 ? once : {}) }, lena);
      made.unshift(id);
    }
    await lena.post(`${TASKS}/${made[0]}/pause`);
  });
  const list = (query: string) => lena.get(`${TASKS}${query}`);

  it('newest first; by limit and offset', async () => {
    expect(ids(await list(''))).toEqual(made);
    expect(ids(await list('?limit=3'))).toEqual(made.slice(0, 3));
    expect(ids(await list('?limit=3&offset=5'))).toEqual(made.slice(5));
    expect(ids(await list('?offset=7'))).toEqual([]);
  });

  it('by cursor: each once, also when a newer one arrives in between', async () => {
    const seen: string[] = [];
    let query = '?limit=3';
    for (let pages = 1; ; pages++) {
      const page = await list(query);
      seen.push(...ids(page));
      if (pages === 1) {
        const { id } = await create({}, lena);
        await lena.delete(`${TASKS}/${id}`);
        await create({ title: 'newcomer' }, lena);
      }
      const cursor = page.headers['x-next-cursor'];
      if (cursor === undefined) break;
      query = `?limit=3&cursor=${cursor}`;
    }
    expect(seen).toEqual(made);
    const newcomer = ids(await list('?q=newcomer'))[0];
    await lena.delete(`${TASKS}/${newcomer}`);
  });

  it.each([
    ['?status=paused', (ids: string[]) => ids.slice(0, 1)],
    ['?status=completed', () => []],
    ['?schedule_type=once', (ids: string[]) => ids.slice(0, 2)],
    ['?schedule_type=cron&limit=2', (ids: string[]) => ids.slice(2, 4)],
    ['?assistant_id=default&offset=6', (ids: string[]) => ids.slice(6)],
    ['?assistant_id=other', () => []],
    ['?q=tASK%203', (ids: string[]) => [ids[4]!]],
    ['?q=50%25_off&limit=1', (ids: string[]) => ids.slice(0, 1)],
    ['?q=5%25', () => []],
    ['?q=Task__', () => []],
    ['?q=', (ids: string[]) => ids],
  ])('filter before paging: %s', async (query, expected) => {
    expect(ids(await list(query))).toEqual(expected(made));
  });

  test(title('isolation-10'), async () => {
    const thread = ok(await lena.post('/api/threads', {}), 201) as { id: string };
    const binding = { context_mode: 'reuse_thread', thread_id: thread.id };
    const bound = [(await create(binding, lena)).id, (await create(binding, lena)).id].reverse();
    expect(ids(await lena.get(`/api/threads/${thread.id}/scheduled-tasks`))).toEqual(bound);
    expect(ids(await lena.get(`/api/threads/${thread.id}/scheduled-tasks?limit=1`))).toEqual(bound.slice(0, 1));
    for (const id of bound) await lena.delete(`${TASKS}/${id}`);
  });
});

describe('the history', () => {
  let task: { id: string };
  let all: string[];
  beforeAll(async () => {
    task = await create();
    const rows = Array.from({ length: 120 }, (_, index) => ({
      status: index % 10 === 0 ? 'failed' : 'success',
      trigger: index % 2 === 0 ? 'scheduled' : 'manual',
      at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    }));
    await history(task.id, rows);
    all = ids(await alice.get(`${TASKS}/${task.id}/runs?limit=200`));
  });
  const runs = (query = '') => alice.get(`${TASKS}/${task.id}/runs${query}`);

  // Ours adds why, and how late.
  test(title('wire-02'), async () => {
    const { fields } = dataOf<{ fields: string[] }>('wire-02');
    const [run] = (await runs()).body as Record<string, unknown>[];
    expect(Object.keys(run!).sort()).toEqual([...fields, 'reason', 'lateness_ms', 'late_reason'].sort());
    expect(ok(await alice.get(`/api/scheduled-task-runs/${String(run!['id'])}`))).toEqual(run);
    expect(run).toMatchObject({ task_id: task.id, scheduled_for: '2026-01-01T01:59:00+00:00', trigger: 'manual' });
  });

  test(title('wire-05'), async () => {
    expect(all).toHaveLength(120);
    expect(ids(await runs('?limit=50&offset=50'))).toEqual(all.slice(50, 100));
    expect(ids(await runs())).toEqual(all.slice(0, 50));
    const first = await runs('?limit=100');
    const second = await runs(`?limit=100&cursor=${first.headers['x-next-cursor']}`);
    expect([...ids(first), ...ids(second)]).toEqual(all);
    expect(second.headers).not.toHaveProperty('x-next-cursor');
  });

  test(title('wire-07'), async () => {
    const failed = (await runs('?status=failed&limit=10')).body as { status: string }[];
    expect(failed).toHaveLength(10);
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(ids(await runs('?status=failed&offset=10'))).toHaveLength(2);
    expect(ids(await runs('?status=failed&trigger=manual'))).toEqual([]);
  });

  it('by time, of one task and of all', async () => {
    const window = '?since=2026-01-01T00:10:00Z&until=2026-01-01T00:20:00Z';
    expect(ids(await runs(window))).toHaveLength(10);
    expect(ids(await runs('?since=2026-01-01T01:58:00%2B00:00'))).toHaveLength(2);
    const path = `/api/scheduled-task-runs${window}`;
    expect(ids(await alice.get(`${path}&task_id=${task.id}`))).toHaveLength(10);
    expect(ids(await alice.get(`${path}&status=failed`))).toHaveLength(1);
  });
});

describe('somebody else', () => {
  let others: readonly (readonly [string, Client])[];
  let task: { id: string };
  let thread: { id: string };
  let run: string;
  beforeAll(async () => {
    const tenantId = await house.tenant('another house');
    others = [
      ['another user of the tenant', await house.as('bob')],
      ['the same name in another tenant', await house.as('alice', { tenantId })],
      ['a manager', await house.as('max', { roles: ['user', 'manager'] })],
      ['an operator', await house.as('olga', { roles: ['operator'] })],
    ];
    thread = ok(await alice.post('/api/threads', {}), 201) as { id: string };
    task = await create({ context_mode: 'reuse_thread', thread_id: thread.id });
    await history(task.id, [{ status: 'success', at: '2026-02-01T00:00:00Z' }]);
    run = ids(await alice.get(`${TASKS}/${task.id}/runs`))[0]!;
  });

  /** The answer about what is there and about what is not: byte for byte the same, and everything as it was. */
  async function sameAsAbsent(ask: (client: Client, id: string) => PromiseLike<Response>, id: string): Promise<void> {
    const absent = id.replace(/[0-9a-f]{12}$/, '0123456789ab');
    for (const [, client] of others) {
      const before = await everythingStored(house.database);
      const [theirs, nobodys] = [await ask(client, id), await ask(client, absent)];
      expect(theirs.status).toBe(404);
      expect(withoutRequestId(theirs).replaceAll(id, 'ID')).toBe(withoutRequestId(nobodys).replaceAll(absent, 'ID'));
      expect(await everythingStored(house.database)).toEqual(before);
    }
  }
  const JSON_PATCH = { title: 'mine now' };

  test.each<[string, (client: Client, id: string) => PromiseLike<Response>]>([
    [title('isolation-01'), (client, id) => client.get(`${TASKS}/${id}`)],
    ['PATCH', (client, id) => client.patch(`${TASKS}/${id}`, JSON_PATCH)],
    [title('isolation-03'), (client, id) => client.post(`${TASKS}/${id}/pause`)],
    [title('isolation-04'), (client, id) => client.post(`${TASKS}/${id}/resume`)],
    ['trigger', (client, id) => client.post(`${TASKS}/${id}/trigger`)],
    [title('isolation-06'), (client, id) => client.delete(`${TASKS}/${id}`)],
    [title('isolation-07'), (client, id) => client.get(`${TASKS}/${id}/runs`)],
    ['duplicate', (client, id) => client.post(`${TASKS}/${id}/duplicate`, JSON_PATCH)],
  ])('%s', async (_, ask) => sameAsAbsent(ask, task.id));

  test(title('isolation-09'), async () => {
    await sameAsAbsent((client, id) => client.get(`/api/threads/${id}/scheduled-tasks`), thread.id);
    await sameAsAbsent((client, id) => client.get(`/api/threads/${id}`), thread.id);
    await sameAsAbsent((client, id) => client.get(`/api/threads/${id}/messages`), thread.id);
    await sameAsAbsent((client, id) => client.get(`/api/agent-runs?thread_id=${id}`), thread.id);
  });

  it('one run, and a task bound to a foreign thread', async () => {
    await sameAsAbsent((client, id) => client.get(`/api/scheduled-task-runs/${id}`), run);
    const bind = { ...TASK, context_mode: 'reuse_thread' };
    await sameAsAbsent((client, id) => client.post(TASKS, { ...bind, thread_id: id }), thread.id);
  });

  it('lists hold one’s own only, whatever is filtered for', async () => {
    for (const [, client] of others) {
      for (const path of [
        TASKS,
        `${TASKS}?q=Morning`,
        '/api/scheduled-task-runs',
        `/api/scheduled-task-runs?task_id=${task.id}`,
      ]) {
        expect((await client.get(path)).body).toEqual([]);
      }
    }
  });

  it('the owner sees it as it was', async () => {
    expect(await read(task.id)).toMatchObject({ title: TASK.title, status: 'enabled', run_count: 0 });
  });
});
