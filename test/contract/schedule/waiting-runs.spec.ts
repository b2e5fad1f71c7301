// DispatchLedger, tasks that queue: "Runs that wait, the oldest first." "Gives runs that wait their turn: as many as places
// are free, in this order, each once whatever other processes do. Left out is one that does not wait any more, or whose task
// has an active run."
import { outcomeOf, type Outcome } from '../../../src/schedule/domain/outcome';
import { ScheduledTask } from '../../../src/schedule/domain/task';
import { aRun, aTask, at, NOON, once, OWNER } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const ORDER = { now: NOON, instanceId: 'instance-1', leaseSeconds: 120, budget: 10, limit: 10 };
const DUE = at('2026-07-27T11:00:00Z');
const LATER = at('2026-07-27T13:00:00Z');
const BOUND = { contextMode: 'reuse_thread', threadId: 'talk', overlapPolicy: 'queue' } as const;
const ALICE = { type: 'user', roles: [], ...OWNER } as const;

const queueing = (changes: Parameters<typeof aTask>[0] = {}): ScheduledTask =>
  aTask({ ...BOUND, nextRunAt: DUE, ...changes });
const waiting = (changes: Parameters<typeof aRun>[0] = {}) =>
  aRun({ threadId: 'talk', status: 'waiting', scheduledFor: DUE, ...changes });

describe.each(STORAGES)('tasks that queue, %s', (_name, open) => {
  let storage: Storage;
  const claim = () => storage.ledger.claimDue(ORDER);
  const byHand = () => storage.ledger.claimManual(OWNER, 'task-1', ORDER);
  const runs = (taskId = 'task-1') => storage.is.runsOf(taskId);
  const state = () => storage.is.state('task-1');

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
  });

  describe('an occurrence that comes due', () => {
    test('starts when nothing is before it', async () => {
      await storage.is.put(queueing());
      expect(await claim()).toMatchObject({ claimed: [{ run: { status: 'queued', threadId: 'talk' } }], waiting: 0 });
    });
    test('waits while the last run of its task works; the task goes on, without a lease', async () => {
      await storage.is.put(queueing());
      await storage.is.putRun(aRun({ status: 'running', createdAt: DUE }));
      expect(await claim()).toMatchObject({ claimed: [], waiting: 1, skipped: 0 });
      expect(await runs()).toMatchObject([
        { status: 'running' },
        { status: 'waiting', scheduledFor: DUE, error: null },
      ]);
      expect(await state()).toMatchObject({ status: 'enabled', lease: null, lastError: null });
      expect((await state()).nextRunAt?.getTime()).toBeGreaterThan(NOON.getTime());
    });
    test('waits behind another task’s run for the same conversation', async () => {
      await storage.is.put(queueing({ id: 'task-2' }));
      await storage.is.putRun(
        waiting({ id: 'task-run-2', taskId: 'task-2', scheduledFor: at('2026-07-26T11:00:00Z') }),
      );
      await storage.is.put(queueing());
      await claim();
      expect(await runs()).toMatchObject([{ status: 'waiting' }]);
    });
    test('is delivered with the one that waits already: of a task one run waits', async () => {
      await storage.is.put(queueing());
      await storage.is.putRun(waiting({ scheduledFor: at('2026-07-26T09:00:00Z') }));
      expect(await claim()).toMatchObject({ claimed: [], waiting: 0, skipped: 1 });
      expect((await runs()).map(({ status, reason }) => [status, reason])).toContainEqual(['skipped', 'overlap']);
      expect(await state()).toMatchObject({ status: 'enabled', lastError: null });
    });
    test('of a once task makes it running until that run has ended', async () => {
      await storage.is.put(queueing({ spec: once('2026-07-27T11:00:00Z') }));
      await storage.is.putRun(aRun({ status: 'running', trigger: 'manual' }));
      await claim();
      expect(await state()).toMatchObject({ status: 'running', nextRunAt: null, lease: null });
    });
  });

  describe('an occurrence that is claimed ahead', () => {
    const SOON = at('2026-07-27T12:00:01Z');
    const ahead = () => storage.ledger.claimDue({ ...ORDER, horizon: SOON });
    const aheadId = async (): Promise<string> => (await ahead()).claimed[0]?.run.id ?? '';

    test('has its place in line: a run by hand waits beside it', async () => {
      await storage.is.put(queueing({ nextRunAt: SOON }));
      const id = await aheadId();
      expect(await byHand()).toMatchObject({ outcome: 'waiting', run: { status: 'waiting', trigger: 'manual' } });
      expect(await storage.ledger.waitingRuns(10)).toMatchObject([{ blocked: true }]);
      expect(await ahead()).toMatchObject({ claimed: [], waiting: 0, skipped: 0 });
      await storage.is.setLeaseClock(SOON);
      expect(await storage.ledger.record(id, { type: 'thread-busy', at: SOON })).toMatchObject({
        run: { status: 'skipped', reason: 'overlap' },
      });
      expect(await storage.ledger.waitingRuns(10)).toMatchObject([{ blocked: false }]);
    });
    test('waits for its conversation when that turns out busy at the instant', async () => {
      await storage.is.put(queueing({ nextRunAt: SOON }));
      const id = await aheadId();
      await storage.is.setLeaseClock(SOON);
      expect(await storage.ledger.record(id, { type: 'thread-busy', at: SOON })).toMatchObject({
        ...{ waiting: true, run: { status: 'waiting', scheduledFor: SOON } },
      });
      expect(await state()).toMatchObject({ status: 'enabled', lease: null });
      expect((await state()).nextRunAt?.getTime()).toBeGreaterThan(SOON.getTime());
    });
    test('is given back to a task of which a run waits: that one has the slot now, and the occurrence its instant', async () => {
      await storage.is.put(queueing({ nextRunAt: SOON }));
      const id = await aheadId();
      const byHandRun = await byHand();
      if (byHandRun.outcome !== 'waiting') throw new Error('It does not wait.');
      await storage.ledger.giveBack([id]);
      expect(await state()).toMatchObject({ status: 'enabled', nextRunAt: SOON, lease: null });
      expect(await runs()).toMatchObject([{ id: byHandRun.run.id, status: 'waiting' }]);
      expect(await storage.ledger.promote([byHandRun.run.id], ORDER)).toHaveLength(1);
      expect(await ahead()).toMatchObject({ claimed: [] });
      await storage.is.setLeaseClock(SOON);
      expect(await storage.ledger.claimDue({ ...ORDER, now: SOON })).toMatchObject({ claimed: [], waiting: 1 });
      expect((await runs()).map(({ status }) => status).sort()).toEqual(['queued', 'waiting']);
    });
    test('is not claimed before it is due while another task’s run waits for its conversation', async () => {
      await storage.is.put(queueing({ id: 'task-2', nextRunAt: LATER }));
      await storage.is.putRun(waiting({ id: 'task-run-2', taskId: 'task-2' }));
      await storage.is.put(queueing({ nextRunAt: SOON }));
      const before = await state();
      const one = { ...ORDER, horizon: SOON, limit: 1 };
      expect(await storage.ledger.claimDue(one)).toMatchObject({ claimed: [], waiting: 0, skipped: 0, more: false });
      expect(await runs()).toEqual([]);
      expect(await state()).toEqual(before);
      await storage.is.setLeaseClock(SOON);
      expect(await storage.ledger.claimDue({ ...ORDER, now: SOON })).toMatchObject({ claimed: [], waiting: 1 });
    });
    test('is taken back by an edit, with the run that waits where the edit says so', async () => {
      await storage.is.put(queueing({ nextRunAt: SOON }));
      await ahead();
      await byHand();
      const { task, openClaim } = (await storage.tasks.findForEdit(ALICE, 'task-1'))!;
      expect(task).toMatchObject({ status: 'enabled', nextRunAt: SOON });
      expect(await storage.tasks.save(ALICE, task.pause(NOON), openClaim)).toBe(true);
      expect(await runs()).toMatchObject([{ trigger: 'manual', status: 'interrupted', reason: 'task_paused' }]);
    });
  });

  describe('a claimed run whose thread turns out busy', () => {
    const busy = { type: 'thread-busy', at: LATER } as const;
    test('gives its place and its round back, and waits; whoever looks after those is told', async () => {
      await storage.is.put(queueing());
      await claim();
      const id = (await runs())[0]?.id ?? '';
      expect(await storage.ledger.record(id, busy)).toMatchObject({
        ...{ changed: true, waiting: true, run: { status: 'waiting', finishedAt: null, error: null } },
      });
      expect(await state()).toMatchObject({ status: 'enabled', lease: null });
      expect(await storage.ledger.record(id, busy)).toMatchObject({ changed: false });
    });
    test('is folded into the one that waits', async () => {
      await storage.is.put(queueing({ status: 'running' }));
      await storage.is.putRun(aRun({ threadId: 'talk' }));
      await storage.is.putRun(waiting({ id: 'task-run-2' }));
      expect(await storage.ledger.record('task-run-1', busy)).toMatchObject({
        run: { status: 'skipped', reason: 'overlap' },
      });
      expect(await state()).toMatchObject({ status: 'enabled', lastError: null });
    });
  });

  describe('a run by hand', () => {
    test(title('overlap-14'), async () => {
      await storage.is.put(queueing({ nextRunAt: LATER }));
      await storage.is.putRun(aRun({ status: 'running' }));
      const first = await byHand();
      expect(first).toMatchObject({ outcome: 'waiting', run: { status: 'waiting', trigger: 'manual' } });
      expect(await byHand()).toEqual(first);
      expect(await byHand()).toEqual(first);
      expect(await runs()).toHaveLength(2);
    });
    test('starts when nothing is before it', async () => {
      await storage.is.put(queueing({ nextRunAt: LATER }));
      expect(await byHand()).toMatchObject({ outcome: 'claimed' });
    });
  });

  describe('its turn', () => {
    const promote = (ids: string[], changes = {}) => storage.ledger.promote(ids, { ...ORDER, ...changes });
    test('comes in order, as far as places are free; it is a queued run then, in this process’s hands', async () => {
      for (const nr of [1, 2, 3]) {
        await storage.is.put(queueing({ id: `task-${nr}`, nextRunAt: LATER }));
        const run = { id: `task-run-${nr}`, taskId: `task-${nr}`, instanceId: 'instance-0' };
        await storage.is.putRun(waiting({ ...run, createdAt: at(`2026-07-27T11:0${nr}:00Z`) }));
      }
      const found = await storage.ledger.waitingRuns(10);
      expect(found.map(({ run, blocked }) => [run.id, blocked])).toEqual([
        ...[
          ['task-run-1', false],
          ['task-run-2', false],
          ['task-run-3', false],
        ],
      ]);
      const promoted = await promote(['task-run-2', 'task-run-1', 'task-run-3'], { budget: 2 });
      expect(promoted).toMatchObject([
        {
          run: { id: 'task-run-2', status: 'queued', instanceId: 'instance-1', lateReason: 'waited' },
          task: { id: 'task-2' },
        },
        { run: { id: 'task-run-1' } },
      ]);
      expect(await promote(['task-run-1', 'task-run-3'], { budget: 2 })).toEqual([]);
      expect(await runs('task-3')).toMatchObject([{ status: 'waiting' }]);
    });
    test('comes once', async () => {
      await storage.is.put(queueing());
      await storage.is.putRun(waiting());
      const both = await Promise.all([promote(['task-run-1']), promote(['task-run-1'])]);
      expect(both.flat()).toHaveLength(1);
    });
    test('does not come beside the last run of its task', async () => {
      await storage.is.put(queueing());
      await storage.is.putRun(aRun({ status: 'running' }));
      await storage.is.putRun(waiting({ id: 'task-run-2' }));
      expect(await storage.ledger.waitingRuns(10)).toMatchObject([{ blocked: true }]);
      expect(await promote(['task-run-2'])).toEqual([]);
    });
    test('ends the wait of a once task like any launch', async () => {
      await storage.is.put(queueing({ spec: once('2026-07-27T11:00:00Z'), status: 'running', nextRunAt: null }));
      await storage.is.putRun(waiting());
      await promote(['task-run-1']);
      const launch = { agentRunId: 'agent-1', startedAt: NOON };
      await storage.ledger.record('task-run-1', { type: 'launched', launch });
      expect(await state()).toMatchObject({ status: 'running', runCount: 1, lastRunId: 'agent-1' });
      const outcome = outcomeOf('success', null) as Outcome;
      await storage.ledger.record('task-run-1', { type: 'ended', outcome, at: LATER, launch });
      expect(await state()).toMatchObject({ status: 'completed' });
    });
  });

  describe('in vain', () => {
    const gaveUp = { type: 'wait-ended', reason: 'queue_timeout', error: 'too long', at: LATER } as const;
    test(`${title('overlap-12')} (ours: the limit is the task’s own, or the house’s)`, async () => {
      await storage.is.put(queueing({ nextRunAt: LATER }));
      await storage.is.putRun(waiting());
      expect(await storage.ledger.record('task-run-1', gaveUp)).toMatchObject({
        run: { status: 'failed', reason: 'queue_timeout', error: 'too long', finishedAt: LATER },
      });
      expect(await state()).toMatchObject({ status: 'enabled', nextRunAt: LATER, lastError: 'too long' });
      expect(await claim()).toMatchObject({ claimed: [], waiting: 0 });
    });
    test('a once task has failed', async () => {
      await storage.is.put(queueing({ spec: once('2026-07-27T11:00:00Z'), status: 'running', nextRunAt: null }));
      await storage.is.putRun(waiting());
      await storage.ledger.record('task-run-1', gaveUp);
      expect(await state()).toMatchObject({ status: 'failed', lastError: 'too long' });
    });
    test('too late for one that has its turn', async () => {
      await storage.is.put(queueing());
      await storage.is.putRun(aRun());
      expect(await storage.ledger.record('task-run-1', gaveUp)).toMatchObject({ changed: false });
    });
  });

  test.each([
    ['paused', (task: ScheduledTask) => task.pause(LATER), 'task_paused'],
    ['deleted', (task: ScheduledTask) => task.delete(LATER), 'task_deleted'],
  ])(`${title('pause-11')} (%s; ours: one that has its turn goes on)`, async (_what, change, reason) => {
    const task = queueing({ nextRunAt: LATER });
    await storage.is.put(task);
    await storage.is.putRun(waiting());
    await storage.tasks.save(ALICE, change(task));
    expect(await runs()).toMatchObject([{ status: 'interrupted', reason, finishedAt: LATER }]);
  });
  test('a new binding of its task is its own', async () => {
    const task = queueing({ nextRunAt: LATER });
    await storage.is.put(task);
    await storage.is.putRun(waiting());
    await storage.tasks.save(ALICE, new ScheduledTask({ ...task.rule, threadId: 'elsewhere' }, task.progress));
    expect(await runs()).toMatchObject([{ status: 'waiting', threadId: 'elsewhere' }]);
  });
  test('a row that makes no task takes its waiting run with it when it is deleted', async () => {
    await storage.is.put(queueing({ nextRunAt: LATER }));
    await storage.is.putRun(waiting());
    await storage.is.spoil('task-1');
    expect(await storage.ledger.waitingRuns(10)).toMatchObject([{ task: null }]);
    await storage.tasks.discard(ALICE, 'task-1', LATER);
    expect(await runs()).toMatchObject([{ status: 'interrupted', reason: 'task_deleted' }]);
  });
});

describe.each(STORAGES)('a task that fires once, %s', (_name, open) => {
  let storage: Storage;
  const launch = { agentRunId: 'agent-1', startedAt: NOON };
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
    await storage.is.put(aTask({ recurring: false, nextRunAt: DUE }));
    await storage.ledger.claimDue(ORDER);
  });
  const runId = async () => (await storage.is.runsOf('task-1'))[0]?.id ?? '';

  test(`${title('s14-14')} (ours: when it was delivered, never before; softly, with its history)`, async () => {
    expect(await storage.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: null, deletedAt: null });
    await storage.ledger.record(await runId(), { type: 'launched', launch });
    expect(await storage.is.state('task-1')).toMatchObject({ status: 'running', deletedAt: null });
    const outcome = outcomeOf('success', null) as Outcome;
    await storage.ledger.record(await runId(), { type: 'ended', outcome, at: LATER, launch });
    expect(await storage.is.state('task-1')).toMatchObject({ status: 'completed', deletedAt: LATER });
    expect(await storage.tasks.find(ALICE, 'task-1')).toBeNull();
    expect(await storage.is.runsOf('task-1')).toMatchObject([{ status: 'success' }]);
  });
  test('stays, failed, when it could not be delivered', async () => {
    await storage.ledger.record(await runId(), { type: 'launch-failed', error: 'no such program', at: LATER });
    expect(await storage.is.state('task-1')).toMatchObject({
      status: 'failed',
      deletedAt: null,
      lastError: 'no such program',
    });
  });
});
