// DispatchLedger.claimDue: "Takes due tasks, in the order of their instants and ids, as long as places are free."
// Longer than others: one method, one suite.
import { systemActor } from '../../../src/kernel/actor';
import { prefixedId } from '../../../src/kernel/ids';
import type { Lease } from '../../../src/schedule/domain/dispatch';
import { lostWithItsProcess, outcomeOf, type Outcome } from '../../../src/schedule/domain/outcome';
import { ScheduledRun } from '../../../src/schedule/domain/run';
import { RUN_STATUSES } from '../../../src/schedule/domain/run-status';
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import type { ClaimOrder } from '../../../src/schedule/ports/dispatch-ledger';
import { CountedIds } from '../../support/fakes/counted-ids';
import { aRun, aTask, at, cron, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const ORDER: ClaimOrder = { now: NOON, instanceId: 'instance-1', leaseSeconds: 120, budget: 10, limit: 1_000 };
const HOUSE = systemActor('test');
const LATER = at('2026-07-27T12:10:00Z');
const TOMORROW = at('2026-07-28T09:00:00Z');
const live: Lease = { owner: 'instance-2', expiresAt: at('2026-07-27T12:00:00Z') };
const expired: Lease = { owner: 'instance-2', expiresAt: at('2026-07-27T11:59:59.999Z') };
const due = (id: string, changes: Parameters<typeof aTask>[0] = {}): ScheduledTask =>
  aTask({ id, nextRunAt: at('2026-07-27T09:00:00Z'), ...changes });

describe.each(STORAGES)('claiming what is due, %s', (_name, open) => {
  let storage: Storage;
  const claim = (changes: Partial<ClaimOrder> = {}) => storage.ledger.claimDue({ ...ORDER, ...changes });
  const claimedIds = async (changes: Partial<ClaimOrder> = {}) =>
    (await claim(changes)).claimed.map(({ task }) => task.id);

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
  });

  describe('in order', () => {
    test('by instant, then id, never what is not due yet', async () => {
      await storage.is.put(due('task-c'));
      await storage.is.put(due('task-b'));
      await storage.is.put(due('task-a', { nextRunAt: NOON }));
      await storage.is.put(due('task-d', { nextRunAt: at('2026-07-27T12:00:00.001Z') }));
      await storage.is.put(due('task-e', { nextRunAt: null }));
      expect(await claimedIds()).toEqual(['task-b', 'task-c', 'task-a']);
    });
    test('as many as the limit says: ask again at once', async () => {
      for (const id of ['task-1', 'task-2', 'task-3']) await storage.is.put(due(id));
      const first = await claim({ limit: 2 });
      expect(first.claimed.map(({ task }) => task.id)).toEqual(['task-1', 'task-2']);
      expect(first).toMatchObject({ more: true, full: false });
      expect(await claim({ limit: 2 })).toMatchObject({ claimed: [{ task: { id: 'task-3' } }], more: false });
    });
    test('nothing due is nothing done', async () => {
      await storage.is.put(aTask());
      expect(await claim()).toEqual({
        claimed: [],
        skipped: 0,
        waiting: 0,
        missed: 0,
        corrupt: [],
        full: false,
        more: false,
      });
      expect(await storage.is.runsOf('task-1')).toEqual([]);
    });
    test('of everybody, whatever tenant or user', async () => {
      await storage.is.put(due('task-1'));
      await storage.is.put(due('task-2', { owner: { tenantId: 2, userId: 'bob' } }));
      const { claimed } = await claim();
      expect(claimed.map(({ run }) => run.owner)).toEqual([
        { tenantId: 1, userId: 'alice' },
        { tenantId: 2, userId: 'bob' },
      ]);
    });
  });

  describe('ahead of its instant', () => {
    const SOON = at('2026-07-27T12:00:01Z');
    const horizon = SOON;
    const confirm = (runId: string) => storage.ledger.confirm(runId);
    const forEdit = () => storage.tasks.findForEdit(HOUSE, 'task-1');
    const ahead = async (): Promise<string> => {
      const { claimed } = await claim({ horizon });
      return claimed[0]!.run.id;
    };
    beforeEach(() => storage.is.put(due('task-1', { spec: cron('0 9 * * *'), nextRunAt: SOON })));

    test('up to the horizon, with the planned instant, and the next one after it', async () => {
      await storage.is.put(due('task-2', { nextRunAt: at('2026-07-27T12:00:01.001Z') }));
      expect(await claim()).toMatchObject({ claimed: [] });
      const { claimed, missed } = await claim({ horizon });
      expect(claimed).toMatchObject([{ run: { scheduledFor: SOON, status: 'queued', createdAt: NOON } }]);
      expect(missed).toBe(0);
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: TOMORROW });
    });
    test('not while its last run is active: by then it may be over', async () => {
      await storage.is.putRun(aRun({ status: 'running', startedAt: at('2026-07-27T11:00:00Z') }));
      expect(await claim({ horizon })).toMatchObject({ claimed: [], skipped: 0 });
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON, lease: null });
      expect(await claim({ now: SOON, horizon: at('2026-07-27T12:00:02Z') })).toMatchObject({ skipped: 1 });
    });
    test('a row that makes no task is left to the round that finds it due; this one is over', async () => {
      await storage.is.spoil('task-1');
      expect(await claim({ horizon, budget: 1 })).toMatchObject({ claimed: [], corrupt: [], more: false });
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON });
      expect(await claim({ now: SOON, budget: 1 })).toMatchObject({ corrupt: ['task-1'], more: true });
    });
    test('confirmed it is kept, and no edit takes it back', async () => {
      const runId = await ahead();
      expect(await confirm(runId)).toBe('open');
      const { task, openClaim } = (await forEdit())!;
      expect(openClaim).toBe(runId);
      expect(task).toMatchObject({ status: 'enabled', nextRunAt: SOON });
      await storage.is.setLeaseClock(at('2026-07-27T12:00:00.850Z'));
      expect(await confirm(runId)).toBe('kept');
      expect(await forEdit()).toMatchObject({ openClaim: null, task: { status: 'running' } });
      expect(await storage.tasks.save(HOUSE, task.pause(NOON), openClaim)).toBe(false);
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'running', version: 2 });
      expect(await storage.is.runsOf('task-1')).toHaveLength(1);
    });
    test('taken back by an edit it is gone, with its run and its lease', async () => {
      const runId = await ahead();
      const { task, openClaim } = (await forEdit())!;
      expect(await storage.tasks.save(HOUSE, task.pause(NOON), openClaim)).toBe(true);
      expect(await confirm(runId)).toBe('gone');
      expect(await storage.is.runsOf('task-1')).toEqual([]);
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'paused', lease: null });
    });
    test('given back it is due as before, and is claimed again', async () => {
      const runId = await ahead();
      await storage.ledger.giveBack([runId]);
      expect(await confirm(runId)).toBe('gone');
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON, lease: null });
      expect(await claimedIds({ horizon })).toEqual(['task-1']);
    });
    test('a run that was launched meanwhile is not given back', async () => {
      const runId = await ahead();
      const launch = { agentRunId: 'agent-1', startedAt: SOON };
      await storage.ledger.record(runId, { type: 'launched', launch });
      await storage.ledger.giveBack([runId]);
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ status: 'running' }]);
      expect(await storage.is.state('task-1')).toMatchObject({ nextRunAt: TOMORROW });
    });
  });

  describe('each taken task gets the row of its occurrence and its next instant', () => {
    test('a cron task: queued run for the planned instant, running under a lease, next after now', async () => {
      await storage.is.put(due('task-1', { lastError: 'old', runCount: 4, version: 7 }));
      const { claimed } = await claim();
      const [run] = await storage.is.runsOf('task-1');
      expect(claimed).toMatchObject([{ task: { id: 'task-1' }, run: { ...run } }]);
      expect(run).toMatchObject({
        status: 'queued',
        trigger: 'scheduled',
        scheduledFor: at('2026-07-27T09:00:00Z'),
        createdAt: NOON,
        instanceId: 'instance-1',
        owner: { tenantId: 1, userId: 'alice' },
        ...{ startedAt: null, finishedAt: null, error: null, reason: null, agentRunId: null, presumed: false },
      });
      expect(await storage.is.state('task-1')).toEqual({
        status: 'running',
        nextRunAt: TOMORROW,
        lease: { owner: 'instance-1', expiresAt: at('2026-07-27T12:02:00Z') },
        ...{ lastError: 'old', lastRunAt: null, lastRunId: null, lastThreadId: null },
        ...{ runCount: 4, missedOccurrences: 0, version: 8, deletedAt: null },
      });
    });
    test('a once task has no next instant', async () => {
      await storage.is.put(aTask({ spec: once('2026-07-27T12:00:00Z') }));
      expect(await claimedIds()).toEqual(['task-1']);
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: null });
    });
    test('a bound task runs on its thread, a fresh one on a new thread each time', async () => {
      await storage.is.put(due('task-1', { contextMode: 'reuse_thread', threadId: 'mine' }));
      await storage.is.put(due('task-2'));
      await storage.is.put(due('task-3'));
      const threads = (await claim()).claimed.map(({ run }) => run.threadId);
      expect(threads[0]).toBe('mine');
      expect(new Set(threads).size).toBe(3);
    });
    test('occurrences that waited together collapse into the first and are counted', async () => {
      await storage.is.put(due('task-1', { spec: cron('0 * * * *') }));
      const round = await claim();
      expect(round).toMatchObject({ missed: 3, claimed: [{ run: { scheduledFor: at('2026-07-27T09:00:00Z') } }] });
      expect(await storage.is.state('task-1')).toMatchObject({
        nextRunAt: at('2026-07-27T13:00:00Z'),
        missedOccurrences: 3,
      });
    });
  });

  describe('a task with a live lease is left alone; one whose lease ran out is taken over', () => {
    test.each([
      ['enabled, live', 'enabled', live, false],
      ['enabled, expired', 'enabled', expired, true],
      ['running, live', 'running', live, false],
      ['running, expired', 'running', expired, true],
      ['running without a lease: it belongs to its run', 'running', undefined, false],
      ['paused', 'paused', undefined, false],
      ['paused with an expired lease', 'paused', expired, false],
      ['completed', 'completed', undefined, false],
      ['failed', 'failed', undefined, false],
      ['cancelled', 'cancelled', expired, false],
    ] as const)('%s', async (_what, status, lease, taken) => {
      await storage.is.put(due('task-1', { status }), lease);
      expect(await claimedIds()).toEqual(taken ? ['task-1'] : []);
    });
    test('whether it is live is told by the clock of leases, not by the one of the order', async () => {
      await storage.is.put(due('task-1', { status: 'running' }), live);
      expect(await claimedIds({ now: LATER })).toEqual([]);
      await storage.is.setLeaseClock(at('2026-07-27T12:00:00.001Z'));
      expect(await claimedIds()).toEqual(['task-1']);
    });
    test('a takeover brings its own lease', async () => {
      await storage.is.put(due('task-1', { status: 'running' }), expired);
      await claim();
      expect((await storage.is.state('task-1')).lease).toEqual({
        owner: 'instance-1',
        expiresAt: at('2026-07-27T12:02:00Z'),
      });
    });
  });

  describe('at most one run for each (task, instant)', () => {
    const former = (changes: Partial<ScheduledRun>) =>
      aRun({ id: 'task-run-old', scheduledFor: at('2026-07-27T09:00:00Z'), ...changes });

    test('an occurrence that has its run is adopted: nothing is written to the run, the task moves on', async () => {
      await storage.is.put(due('task-1', { lastError: 'old' }));
      await storage.is.putRun(former({ status: 'success' }));
      expect(await claim()).toMatchObject({ claimed: [], skipped: 0, corrupt: [] });
      expect(await storage.is.runsOf('task-1')).toEqual([former({ status: 'success' })]);
      expect(await storage.is.state('task-1')).toMatchObject({
        ...{ status: 'enabled', nextRunAt: TOMORROW, lastError: 'old', lease: null },
      });
    });
    test.each([
      ['success', 'completed'],
      ['failed', 'failed'],
      ['interrupted', 'cancelled'],
      ['skipped', 'failed'],
      ['running', 'running'],
      ['queued', 'running'],
    ] as const)('a once task whose run is %s is %s', async (status, expected) => {
      await storage.is.put(aTask({ spec: once('2026-07-27T09:00:00Z') }));
      await storage.is.putRun(former({ status }));
      await claim();
      const state = await storage.is.state('task-1');
      expect(state).toMatchObject({ status: expected, nextRunAt: null, lastError: null });
    });
    test('a manual run of the same instant is another run', async () => {
      await storage.is.put(due('task-1'));
      await storage.is.putRun(former({ status: 'success', trigger: 'manual' }));
      expect(await claimedIds()).toEqual(['task-1']);
    });
  });

  describe('skipped where an active run holds the slot', () => {
    test.each(['queued', 'running'] as const)('%s: a tombstone, and the task moves on', async (status) => {
      await storage.is.put(due('task-1', { lastError: 'old' }));
      const yesterday = at('2026-07-26T09:00:00Z');
      await storage.is.putRun(aRun({ status, scheduledFor: yesterday, createdAt: yesterday }));
      expect(await claim()).toMatchObject({ claimed: [], skipped: 1, full: false });
      const [, tombstone] = await storage.is.runsOf('task-1');
      expect(tombstone).toMatchObject({
        ...{ status: 'skipped', reason: 'overlap', scheduledFor: at('2026-07-27T09:00:00Z'), finishedAt: NOON },
        startedAt: null,
      });
      expect(await storage.is.state('task-1')).toMatchObject({
        ...{ status: 'enabled', nextRunAt: TOMORROW, lastError: 'old', lease: null, runCount: 0 },
      });
    });
    test('a once task has failed and says why', async () => {
      await storage.is.put(aTask({ spec: once('2026-07-27T12:00:00Z') }));
      await storage.is.putRun(aRun({ trigger: 'manual', status: 'running' }));
      await claim();
      const state = await storage.is.state('task-1');
      expect(state).toMatchObject({ status: 'failed', nextRunAt: null });
      expect(state.lastError).toMatch(/active run/);
    });
    test(title('overlap-06'), async () => {
      await storage.is.put(due('task-1'));
      await storage.is.putRun(aRun({ status: 'running', threadId: 'thread-of-yesterday', trigger: 'manual' }));
      expect(await claim()).toMatchObject({ claimed: [], skipped: 1 });
    });
    test(title('overlap-08'), async () => {
      const ended = RUN_STATUSES.filter((status) => !['waiting', 'queued', 'running'].includes(status));
      await storage.is.put(due('task-1'));
      for (const [nr, status] of ended.entries()) {
        await storage.is.putRun(aRun({ id: `task-run-${nr}`, status, trigger: 'manual' }));
      }
      expect(await claimedIds()).toEqual(['task-1']);
    });
    test(title('overlap-09'), async () => {
      await storage.is.put(due('task-1'));
      await storage.is.put(due('task-2'));
      expect(await claimedIds()).toEqual(['task-1', 'task-2']);
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ status: 'queued' }]);
      expect(await storage.is.runsOf('task-2')).toMatchObject([{ status: 'queued' }]);
    });
    test('a manual run in flight never swallows a due occurrence: it leaves its mark', async () => {
      await storage.is.put(due('task-1'));
      await storage.is.putRun(aRun({ status: 'running', trigger: 'manual', scheduledFor: NOON }));
      await claim();
      expect((await storage.is.runsOf('task-1')).map(({ trigger, status }) => [trigger, status])).toEqual(
        expect.arrayContaining([
          ['manual', 'running'],
          ['scheduled', 'skipped'],
        ]),
      );
    });
  });

  describe('skipped where it is too late', () => {
    test('the tombstone says so, the task goes on with the first occurrence that is in time', async () => {
      await storage.is.put(due('task-1', { spec: cron('0 * * * *'), misfireGraceSeconds: 1_800 }));
      expect(await claim()).toMatchObject({ claimed: [], skipped: 1, missed: 2 });
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ status: 'skipped', reason: 'too_late' }]);
      expect(await storage.is.state('task-1')).toMatchObject({ nextRunAt: NOON, missedOccurrences: 2 });
      expect(await claim()).toMatchObject({ claimed: [{ run: { scheduledFor: NOON } }] });
    });
    test('also when the slot is free, and also for a once task, which has then failed', async () => {
      await storage.is.put(aTask({ spec: once('2026-07-27T11:00:00Z'), misfireGraceSeconds: 60 }));
      expect(await claim()).toMatchObject({ claimed: [], skipped: 1 });
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'failed', nextRunAt: null });
    });
    test('within the grace it runs', async () => {
      await storage.is.put(due('task-1', { nextRunAt: at('2026-07-27T11:59:00Z'), misfireGraceSeconds: 60 }));
      expect(await claimedIds()).toEqual(['task-1']);
    });
  });

  describe('the budget', () => {
    const elsewhere = (nr: number, status: ScheduledRun['status']) =>
      storage.is.putRun(aRun({ id: `task-run-x${nr}`, taskId: `task-x${nr}`, status }));

    test(title('budget-01'), async () => {
      await storage.is.put(due('task-1'));
      await elsewhere(1, 'running');
      expect(await claim({ budget: 1 })).toMatchObject({ claimed: [], full: true, more: false });
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'enabled', version: 1 });
    });
    test(title('budget-02'), async () => {
      for (const id of ['task-1', 'task-2', 'task-3']) await storage.is.put(due(id));
      const round = await claim({ budget: 2 });
      expect(round.claimed.map(({ task }) => task.id)).toEqual(['task-1', 'task-2']);
      expect(round).toMatchObject({ full: true, more: false });
      expect(await storage.is.state('task-3')).toMatchObject({ nextRunAt: at('2026-07-27T09:00:00Z') });
    });
    test(title('budget-04'), async () => {
      await storage.is.put(due('task-b'));
      await storage.is.put(due('task-a'));
      expect(await claimedIds({ budget: 1 })).toEqual(['task-a']);
    });
    test(title('budget-07'), async () => {
      const instants = ['2026-07-27T09:02:00Z', '2026-07-27T09:01:00Z', '2026-07-27T09:03:00Z'];
      for (const [nr, instant] of instants.entries()) {
        await storage.is.put(aTask({ id: `task-${nr + 1}`, spec: once(instant) }));
      }
      const order: string[] = [];
      for (let rounds = 0; rounds < 3; rounds++) {
        const [taken] = (await claim({ budget: 1 })).claimed;
        if (taken === undefined) throw new Error('nothing was taken');
        order.push(taken.task.id);
        expect((await claim({ budget: 1 })).claimed).toEqual([]);
        await storage.ledger.record(taken.run.id, {
          ...{ type: 'ended', outcome: outcomeOf('success', null) as Outcome, at: NOON, launch: null },
        });
      }
      expect(order).toEqual(['task-2', 'task-1', 'task-3']);
    });
    test('counts queued and running, not waiting', async () => {
      await storage.is.put(due('task-1'));
      await elsewhere(1, 'waiting');
      await elsewhere(2, 'success');
      await elsewhere(3, 'queued');
      expect(await claimedIds({ budget: 1 })).toEqual([]);
      expect(await claimedIds({ budget: 2 })).toEqual(['task-1']);
    });
    test('a tombstone takes no place: the places it did not need are filled at once', async () => {
      for (const id of ['task-1', 'task-2', 'task-3']) await storage.is.put(due(id));
      await storage.is.putRun(aRun({ taskId: 'task-1', status: 'running' }));
      expect(await claim({ budget: 3 })).toMatchObject({ claimed: [{ task: { id: 'task-2' } }], more: true });
      expect(await claim({ budget: 3 })).toMatchObject({ claimed: [{ task: { id: 'task-3' } }], full: true });
    });
    test('keeps the place of a run whose task was deleted', async () => {
      await storage.is.put(due('task-1'));
      await claim({ budget: 1 });
      await storage.tasks.discard({ type: 'system', reason: 'test' }, 'task-1', NOON);
      await storage.is.put(due('task-2'));
      expect(await claim({ budget: 1 })).toMatchObject({ claimed: [], full: true });
    });
  });

  describe('rows that made no task are marked failed and will not come again', () => {
    test('claimed once, with a tombstone that says corrupt; the others of the round go on', async () => {
      await storage.is.put(due('task-1'));
      await storage.is.put(due('task-2'));
      await storage.is.spoil('task-1');
      const round = await claim();
      expect(round).toMatchObject({ corrupt: ['task-1'], claimed: [{ task: { id: 'task-2' } }] });
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ status: 'skipped', reason: 'corrupt' }]);
      const state = await storage.is.state('task-1');
      expect(state).toMatchObject({ status: 'failed', nextRunAt: null, lease: null, missedOccurrences: 1 });
      expect(state.lastError).toMatch(/cannot be read/);
      expect(await claim({ now: TOMORROW })).toMatchObject({ corrupt: [] });
      expect(await storage.is.runsOf('task-1')).toHaveLength(1);
    });
    test('it takes no place', async () => {
      await storage.is.put(due('task-1'));
      await storage.is.put(due('task-2'));
      await storage.is.spoil('task-1');
      expect(await claim({ budget: 1 })).toMatchObject({ corrupt: ['task-1'], claimed: [], more: true });
      expect(await claimedIds({ budget: 1 })).toEqual(['task-2']);
    });
  });

  test('a run that ended as presumed frees slot and place like any other', async () => {
    await storage.is.put(due('task-1'));
    const [first] = (await claim({ budget: 1 })).claimed;
    await storage.ledger.record(first?.run.id ?? '', {
      ...{ type: 'ended', outcome: lostWithItsProcess(), at: NOON, launch: null },
    });
    expect(await claimedIds({ budget: 1, now: TOMORROW })).toEqual(['task-1']);
    expect(prefixedId('task-run-', new CountedIds())).toMatch(/^task-run-[0-9a-f]{32}$/);
    expect(first?.run.id).toMatch(/^task-run-[0-9a-f]{32}$/);
  });
});
