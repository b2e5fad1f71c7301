// RunRepository: "The history of runs, for reading."
import type { UserActor } from '../../../src/kernel/actor';
import type { PageRequest, RunFilter } from '../../../src/schedule/domain/listing';
import { aRun, aTask, at, NOON, OWNER } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const ALICE: UserActor = { type: 'user', roles: ['user'], ...OWNER };
const EVERYTHING: PageRequest = { limit: 200, offset: 0 };
const minute = (nr: number): Date => new Date(NOON.getTime() + nr * 60_000);

describe.each(STORAGES)('the history of runs, %s', (_name, open) => {
  let storage: Storage;
  const put = (nr: number, changes: Parameters<typeof aRun>[0] = {}) =>
    storage.is.putRun(
      aRun({
        ...{ id: `task-run-${String(nr).padStart(3, '0')}`, status: 'success', trigger: 'manual' },
        ...{ createdAt: minute(nr), scheduledFor: minute(nr), ...changes },
      }),
    );
  const nrs = async (filter: RunFilter, page: PageRequest = EVERYTHING, actor = ALICE) =>
    (await storage.runs.list(actor, filter, page)).map(({ id }) => Number(id.slice(-3)));

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(() => storage.is.clear());

  test('find: the run with every column', async () => {
    const run = aRun({
      ...{ agentRunId: 'agent-1', status: 'interrupted', reason: 'process_lost', error: 'lost', presumed: true },
      ...{ startedAt: at('2026-07-27T12:00:00.123Z'), finishedAt: at('2026-07-27T12:05:00Z') },
    });
    await storage.is.putRun(run);
    expect(await storage.runs.find(ALICE, run.id)).toEqual(run);
    expect(await storage.runs.find({ type: 'system', reason: 'test' }, run.id)).toEqual(run);
  });
  test.each([
    ['absent', ALICE, 'task-run-none'],
    ['another user’s', { ...ALICE, userId: 'bob' }, 'task-run-1'],
    ['of the same user id in another tenant', { ...ALICE, tenantId: 2 }, 'task-run-1'],
  ])('find: null when it is %s', async (_what, actor, id) => {
    await storage.is.putRun(aRun());
    expect(await storage.runs.find(actor, id)).toBeNull();
  });

  test('list: newest first by creation, then id, of one task or of all one’s tasks', async () => {
    await put(2);
    await put(1, { taskId: 'task-2' });
    await put(3, { createdAt: minute(2) });
    expect(await nrs({})).toEqual([3, 2, 1]);
    expect(await nrs({ taskId: 'task-1' })).toEqual([3, 2]);
  });
  test(title('wire-05'), async () => {
    for (let nr = 0; nr < 120; nr++) await put(nr);
    const second = await nrs({ taskId: 'task-1' }, { limit: 50, offset: 50 });
    expect(second).toHaveLength(50);
    expect([second[0], second.at(-1)]).toEqual([69, 20]);
    const after = { createdAt: minute(70), id: 'task-run-070' };
    expect(await nrs({ taskId: 'task-1' }, { limit: 50, offset: 3, after })).toEqual(second);
    expect(await nrs({}, { limit: 50, offset: 3, after })).toEqual(second);
  });
  test(title('wire-07'), async () => {
    for (let nr = 0; nr < 10; nr++) await put(nr, { status: nr % 3 === 0 ? 'failed' : 'success' });
    for (const filter of [{}, { taskId: 'task-1' }]) {
      expect(await nrs({ ...filter, status: 'failed' }, { limit: 2, offset: 1 })).toEqual([6, 3]);
    }
  });
  test('narrowed by trigger and by planned time, from an instant on and before another', async () => {
    for (let nr = 0; nr < 6; nr++) await put(nr, { trigger: nr % 2 ? 'manual' : 'scheduled' });
    for (const filter of [{}, { taskId: 'task-1' }]) {
      expect(await nrs({ ...filter, trigger: 'manual' })).toEqual([5, 3, 1]);
      expect(await nrs({ ...filter, since: minute(2), until: minute(5) })).toEqual([4, 3, 2]);
      expect(await nrs({ ...filter, since: minute(2), trigger: 'manual', status: 'success' })).toEqual([5, 3]);
    }
  });
  test('of one’s own only: nobody sees a run by naming its task', async () => {
    await put(1);
    await put(2, { owner: { tenantId: 1, userId: 'bob' }, taskId: 'task-2' });
    await put(3, { owner: { tenantId: 2, userId: 'alice' }, taskId: 'task-3' });
    expect(await nrs({})).toEqual([1]);
    expect(await nrs({ taskId: 'task-2' })).toEqual([]);
    expect(await nrs({}, EVERYTHING, { ...ALICE, userId: 'bob' })).toEqual([2]);
    expect(await nrs({}, EVERYTHING, { ...ALICE, tenantId: 2 })).toEqual([3]);
  });
  test('the history of a deleted task stays', async () => {
    await storage.is.put(aTask().delete(NOON));
    await put(1);
    expect(await nrs({})).toEqual([1]);
  });
});
