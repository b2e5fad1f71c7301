// TaskRepository: "Where tasks are kept for the people who own them."
// Longer than others: one port, one suite.
import { systemActor, type UserActor } from '../../../src/kernel/actor';
import type { Lease } from '../../../src/schedule/domain/dispatch';
import { CorruptTaskError } from '../../../src/schedule/domain/errors';
import type { PageRequest, TaskFilter } from '../../../src/schedule/domain/listing';
import { TASK_STATUSES } from '../../../src/schedule/domain/status';
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import { aTask, at, created, cron, NOON, once, OWNER, POLICY } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const HOUSE = systemActor('test');
const ALICE: UserActor = { type: 'user', roles: ['user'], ...OWNER };
const BOB: UserActor = { ...ALICE, userId: 'bob' };
const ALICE_ELSEWHERE: UserActor = { ...ALICE, tenantId: 2 };
const STRANGERS = [
  ['another user', BOB],
  ['the same user id in another tenant', ALICE_ELSEWHERE],
] as const;
const LEASE: Lease = { owner: 'instance-1', expiresAt: at('2026-07-27T12:02:00Z') };
const EVERYTHING: PageRequest = { limit: 100, offset: 0 };
const FULL = aTask({
  ...{ contextMode: 'reuse_thread', threadId: 'thread-9', workingFolder: '/srv/reports', misfireGraceSeconds: 60 },
  ...{ spec: cron('0 9 * * mon-fri', 'Europe/Berlin'), status: 'paused', lastRunAt: NOON, lastRunId: 'agent-1' },
  ...{ lastThreadId: 'thread-8', lastError: 'boom', runCount: 4, missedOccurrences: 2, version: 9 },
});

describe.each(STORAGES)('tasks of people, %s', (_name, open) => {
  let storage: Storage;
  const ids = async (filter: TaskFilter, page: PageRequest = EVERYTHING, actor = ALICE) =>
    (await storage.tasks.list(actor, filter, page)).map(({ id }) => id);
  const found = (actor: UserActor = ALICE) => storage.tasks.find(actor, 'task-1');

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(() => storage.is.clear());

  describe('add: stores a new task with its progress', () => {
    test.each([
      ['cron', created({ threadId: 'thread-9', contextMode: 'reuse_thread', misfireGraceSeconds: 60 })],
      ['once', created({ scheduleType: 'once', scheduleSpec: { run_at: '2026-08-01T09:00' }, timezone: 'Asia/Tokyo' })],
    ])('%s: it comes back as it went in', async (_type, task) => {
      await storage.tasks.add(ALICE, task);
      expect(await found()).toEqual(task);
      expect((await storage.is.state('task-1')).lease).toBeNull();
    });
    test('a copy of a paused task is stored paused', async () => {
      await storage.tasks.add(ALICE, aTask({ status: 'paused' }).duplicate({}, POLICY, NOON, 'task-1'));
      expect(await found()).toMatchObject({ status: 'paused', runCount: 0, version: 1 });
    });
  });

  describe('find: the task as it stands', () => {
    test('every column of rule and progress', async () => {
      await storage.is.put(FULL);
      expect(await found()).toEqual(FULL);
      expect(await storage.tasks.find(HOUSE, 'task-1')).toEqual(FULL);
    });
    test('null when it is absent or deleted', async () => {
      expect(await found()).toBeNull();
      await storage.is.put(aTask().delete(NOON));
      expect(await found()).toBeNull();
      expect(await storage.tasks.findStored(ALICE, 'task-1')).toBeNull();
      expect(await storage.tasks.find(HOUSE, 'task-1')).toBeNull();
    });
    test.each(STRANGERS)('null for %s', async (_who, stranger) => {
      await storage.is.put(aTask());
      expect(await found(stranger)).toBeNull();
      expect(await storage.tasks.findStored(stranger, 'task-1')).toBeNull();
    });
    test('throws CorruptTaskError when the stored row does not make a task; the row itself can be had', async () => {
      await storage.is.put(FULL);
      await storage.is.spoil('task-1');
      await expect(found()).rejects.toThrow(CorruptTaskError);
      expect(await storage.tasks.findStored(ALICE, 'task-1')).toMatchObject({
        ...{ id: 'task-1', owner: OWNER, scheduleType: 'cron', scheduleSpec: { cron: 'nonsense' } },
        ...{ timezone: 'Europe/Berlin', status: 'paused', runCount: 4, version: 9, threadId: 'thread-9' },
      });
    });
  });

  describe('list: newest first by creation, then id', () => {
    const put = (id: string, changes: Parameters<typeof aTask>[0] = {}) => storage.is.put(aTask({ id, ...changes }));
    const days = ['2026-07-03T00:00:00Z', '2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z'];

    test('in that order, page by page: by offset, and by the cursor of the last item seen', async () => {
      for (const [nr, day] of days.entries()) await put(`task-${nr}`, { createdAt: at(day) });
      await put('task-9', { createdAt: at('2026-07-02T00:00:00Z') });
      expect(await ids({})).toEqual(['task-0', 'task-9', 'task-2', 'task-1']);
      expect(await ids({}, { limit: 2, offset: 1 })).toEqual(['task-9', 'task-2']);
      const after = { createdAt: at('2026-07-02T00:00:00Z'), id: 'task-9' };
      expect(await ids({}, { limit: 2, offset: 0, after })).toEqual(['task-2', 'task-1']);
      expect(await ids({}, { limit: 2, offset: 7, after })).toEqual(['task-2', 'task-1']);
      expect(await ids({}, { limit: 2, offset: 4 })).toEqual([]);
    });
    test('a task that comes while somebody pages by cursor moves nothing', async () => {
      for (const [nr, day] of days.entries()) await put(`task-${nr}`, { createdAt: at(day) });
      const [first] = await storage.tasks.list(ALICE, {}, { limit: 1, offset: 0 });
      await put('task-8', { createdAt: at('2026-07-09T00:00:00Z') });
      expect(await ids({}, { limit: 1, offset: 0, after: first })).toEqual(['task-2']);
    });
    test('narrowed by status, type, assistant, thread and text, each alone and together', async () => {
      await put('task-1', { title: 'Weekly 100%_sure \\ report', createdAt: at('2026-07-05T00:00:00Z') });
      await put('task-2', { status: 'paused', assistantId: 'other', createdAt: at('2026-07-04T00:00:00Z') });
      await put('task-3', { spec: once('2026-08-01T09:00:00Z'), createdAt: at('2026-07-03T00:00:00Z') });
      await put('task-4', { contextMode: 'reuse_thread', threadId: 'mine', prompt: 'Look for ÄRGER' });
      expect(await ids({ status: 'paused' })).toEqual(['task-2']);
      expect(await ids({ scheduleType: 'once' })).toEqual(['task-3']);
      expect(await ids({ assistantId: 'other' })).toEqual(['task-2']);
      expect(await ids({ threadId: 'mine' })).toEqual(['task-4']);
      expect(await ids({ text: 'weekly' })).toEqual(['task-1']);
      expect(await ids({ text: 'ärger' })).toEqual(['task-4']);
      for (const text of ['100%_', '\\ r', '%']) expect(await ids({ text })).toEqual(['task-1']);
      expect(await ids({ text: '100_' })).toEqual([]);
      expect(await ids({ text: 'report', scheduleType: 'cron', status: 'enabled' })).toEqual(['task-1', 'task-4']);
      expect(await ids({ assistantId: 'other', status: 'enabled' })).toEqual([]);
    });
    test(title('isolation-10'), async () => {
      await put('task-1', { contextMode: 'reuse_thread', threadId: 'mine' });
      await put('task-2');
      expect(await ids({ threadId: 'mine' })).toEqual(['task-1']);
    });
    test('filters apply before the page is cut', async () => {
      for (let nr = 0; nr < 6; nr++) await put(`task-${nr}`, { status: nr % 2 ? 'paused' : 'enabled' });
      expect(await ids({ status: 'paused' }, { limit: 2, offset: 0 })).toEqual(['task-5', 'task-3']);
    });
    test('of one’s own only, and without what is deleted', async () => {
      await put('task-1');
      await put('task-2', { owner: { tenantId: 1, userId: 'bob' } });
      await put('task-3', { owner: { tenantId: 2, userId: 'alice' } });
      await storage.is.put(aTask({ id: 'task-4' }).delete(NOON));
      expect(await ids({})).toEqual(['task-1']);
      expect(await ids({}, EVERYTHING, BOB)).toEqual(['task-2']);
      expect(await ids({}, EVERYTHING, ALICE_ELSEWHERE)).toEqual(['task-3']);
    });
    test(title('corrupt-03'), async () => {
      for (const id of ['task-1', 'task-2', 'task-3', 'task-4']) await put(id);
      await storage.is.spoil('task-4');
      await storage.is.spoil('task-2');
      expect(await ids({})).toEqual(['task-3', 'task-1']);
      // A page is only short where the list ends.
      expect(await ids({}, { limit: 2, offset: 0 })).toEqual(['task-3', 'task-1']);
    });
  });

  describe('save: writes rule and progress when nobody wrote the progress since it was read', () => {
    const edited = (task: ScheduledTask): ScheduledTask =>
      task.edit({ title: 'Another', scheduleSpec: { cron: '30 8 * * *' }, misfireGraceSeconds: 90 }, POLICY, NOON);

    test('every column an edit owns, and the version is one higher', async () => {
      await storage.is.put(aTask());
      const task = edited((await found()) as ScheduledTask);
      expect(await storage.tasks.save(ALICE, task)).toBe(true);
      expect(await found()).toEqual(Object.assign(edited(aTask()), { progress: { ...task.progress, version: 2 } }));
    });
    test('leaves alone what launches own, though it was read before, and the lease, which is a claim’s', async () => {
      await storage.is.put(
        aTask({ lastRunAt: NOON, lastRunId: 'agent-1', lastThreadId: 'thread-1', runCount: 5 }),
        LEASE,
      );
      expect(await storage.tasks.save(ALICE, edited(aTask({ lastError: 'kept' })))).toBe(true);
      expect(await storage.is.state('task-1')).toMatchObject({
        ...{ lastRunAt: NOON, lastRunId: 'agent-1', lastThreadId: 'thread-1', runCount: 5, lease: LEASE },
        lastError: 'kept',
      });
    });
    test('answers false and writes nothing when somebody did', async () => {
      await storage.is.put(aTask());
      const read = (await found()) as ScheduledTask;
      expect(await storage.tasks.save(ALICE, read.pause(NOON))).toBe(true);
      const paused = await found();
      expect(await storage.tasks.save(ALICE, edited(read))).toBe(false);
      expect(await found()).toEqual(paused);
    });
    test('a claim, a launch and an end each count as a write', async () => {
      await storage.is.setLeaseClock(NOON);
      await storage.is.put(aTask({ nextRunAt: NOON }));
      const order = { now: NOON, instanceId: 'instance-1', leaseSeconds: 120, budget: 1, limit: 1 };
      const stale = async (act: () => Promise<unknown>): Promise<boolean> => {
        const { version } = await storage.is.state('task-1');
        await act();
        return (await storage.is.state('task-1')).version > version;
      };
      const [claimed] = (await storage.ledger.claimDue(order)).claimed;
      expect(await storage.tasks.save(ALICE, aTask())).toBe(false);
      const launch = { agentRunId: 'agent-1', startedAt: NOON };
      const runId = claimed?.run.id ?? '';
      expect(await stale(() => storage.ledger.record(runId, { type: 'launched', launch }))).toBe(true);
      const outcome = { status: 'failed', reason: 'agent_failed', error: 'boom', presumed: false } as const;
      const end = { type: 'ended', outcome, at: NOON, launch: null } as const;
      expect(await stale(() => storage.ledger.record(runId, end))).toBe(true);
    });
    test.each(STRANGERS)('false for %s', async (_who, stranger) => {
      await storage.is.put(aTask());
      expect(await storage.tasks.save(stranger, edited(aTask()))).toBe(false);
      expect(await found()).toEqual(aTask());
    });
    test('a deletion takes the task out of every sight at once', async () => {
      await storage.is.put(aTask({ status: 'running' }), LEASE);
      expect(await storage.tasks.save(ALICE, aTask({ status: 'running' }).delete(NOON))).toBe(true);
      expect(await found()).toBeNull();
      expect(await ids({})).toEqual([]);
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'cancelled', nextRunAt: null, deletedAt: NOON });
    });
    test('the house may save for everybody', async () => {
      await storage.is.put(aTask());
      expect(await storage.tasks.save(HOUSE, edited(aTask()))).toBe(true);
    });
  });

  describe('recurring: tasks of everybody that will fire again, or would if they were resumed', () => {
    test('cron, enabled or paused, by id, beginning after an id', async () => {
      for (const [nr, status] of TASK_STATUSES.entries()) await storage.is.put(aTask({ id: `task-${nr}`, status }));
      await storage.is.put(aTask({ id: 'task-6', owner: { tenantId: 2, userId: 'bob' } }));
      await storage.is.put(aTask({ id: 'task-7', spec: once('2026-08-01T09:00:00Z') }));
      await storage.is.put(aTask({ id: 'task-8' }).delete(NOON));
      const page = async (after: string, limit: number) =>
        (await storage.tasks.recurring(HOUSE, after, limit)).map(({ id }) => id);
      expect(await page('', 10)).toEqual(['task-0', 'task-1', 'task-6']);
      expect(await page('', 2)).toEqual(['task-0', 'task-1']);
      expect(await page('task-1', 2)).toEqual(['task-6']);
      await storage.is.spoil('task-0');
      expect(await page('', 10)).toEqual(['task-1', 'task-6']);
    });
  });

  describe('unreadable: rows of everybody that do not make a task', () => {
    test('by id, up to a limit, with what is wrong; deleted ones are nobody’s business', async () => {
      for (const id of ['task-1', 'task-2', 'task-4']) await storage.is.put(aTask({ id }));
      await storage.is.put(aTask({ id: 'task-3', owner: { tenantId: 2, userId: 'bob' }, title: 'Of Bob' }));
      await storage.is.put(aTask({ id: 'task-5' }).delete(NOON));
      for (const id of ['task-3', 'task-4', 'task-5']) await storage.is.spoil(id);
      const found = await storage.tasks.unreadable(HOUSE, 10);
      expect(found.map(({ id }) => id)).toEqual(['task-3', 'task-4']);
      expect(found[0]).toMatchObject({ owner: { tenantId: 2, userId: 'bob' }, title: 'Of Bob' });
      expect(found[0]?.error).toContain('task-3');
      expect(await storage.tasks.unreadable(HOUSE, 1)).toHaveLength(1);
    });
  });

  describe('discard: deletes a task without reading it', () => {
    test('a row that makes no task', async () => {
      await storage.is.put(FULL, LEASE);
      await storage.is.spoil('task-1');
      expect(await storage.tasks.discard(ALICE, 'task-1', NOON)).toBe(true);
      expect(await storage.is.state('task-1')).toMatchObject({
        ...{ status: 'cancelled', nextRunAt: null, deletedAt: NOON, runCount: 4, version: 10 },
      });
      expect(await storage.tasks.findStored(ALICE, 'task-1')).toBeNull();
    });
    test('false when there is none to delete', async () => {
      expect(await storage.tasks.discard(ALICE, 'task-none', NOON)).toBe(false);
      await storage.is.put(aTask().delete(NOON));
      expect(await storage.tasks.discard(ALICE, 'task-1', NOON)).toBe(false);
    });
    test.each(STRANGERS)('false for %s', async (_who, stranger) => {
      await storage.is.put(aTask());
      expect(await storage.tasks.discard(stranger, 'task-1', NOON)).toBe(false);
      expect(await found()).not.toBeNull();
    });
  });
});
