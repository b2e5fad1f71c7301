// DispatchLedger.record: "Writes what happened to a run, and what it means for its task. Repetitions and late comers
// change nothing that the domain does not let them change. Events of many runs are written together."
// Longer than others: one method, one suite.
import type { Lease } from '../../../src/schedule/domain/dispatch';
import { lostWithItsProcess, outcomeOf, type Outcome } from '../../../src/schedule/domain/outcome';
import type { RunEvent } from '../../../src/schedule/domain/run-event';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const STARTED = at('2026-07-27T12:00:00.020Z');
const ENDED = at('2026-07-27T12:05:00Z');
const TOMORROW = at('2026-07-28T09:00:00Z');
const LAUNCH = { agentRunId: 'agent-1', startedAt: STARTED };
const LEASE: Lease = { owner: 'instance-1', expiresAt: at('2026-07-27T12:02:00Z') };
const launched: RunEvent = { type: 'launched', launch: LAUNCH };
const unknown: RunEvent = { type: 'launched', launch: { agentRunId: null, startedAt: STARTED } };
const failed: RunEvent = { type: 'launch-failed', error: 'no such program', at: ENDED };
const busy: RunEvent = { type: 'thread-busy', at: ENDED };
const ended = (status: string, changes: Partial<RunEvent & { type: 'ended' }> = {}): RunEvent => ({
  ...{ type: 'ended', outcome: outcomeOf(status, status === 'error' ? 'boom' : null) as Outcome, at: ENDED },
  ...{ launch: LAUNCH, ...changes },
});
const lost: RunEvent = { type: 'ended', outcome: lostWithItsProcess(), at: ENDED, launch: null };

const CRON = aTask({ status: 'running', lastError: 'old', missedOccurrences: 3, runCount: 7 });
const ONCE = aTask({ spec: once('2026-07-27T12:00:00Z'), status: 'running', nextRunAt: null });

describe.each(STORAGES)('recording what happened, %s', (_name, open) => {
  let storage: Storage;
  const record = (event: RunEvent, runId = 'task-run-1') => storage.ledger.record(runId, event);
  const state = () => storage.is.state('task-1');
  const run = async () => (await storage.is.runsOf('task-1'))[0];
  const claimed = async (task = CRON, changes: Parameters<typeof aRun>[0] = {}): Promise<void> => {
    await storage.is.put(task, LEASE);
    await storage.is.putRun(aRun(changes));
  };

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
  });

  describe('a launch', () => {
    test('is running, counted, and gives the round back with its lease', async () => {
      await claimed();
      const answer = await record(launched);
      expect(answer).toEqual({ run: await run(), changed: true, backlog: false, waiting: false });
      expect(answer.run).toMatchObject({ status: 'running', agentRunId: 'agent-1', startedAt: STARTED });
      expect(await state()).toEqual({
        ...{ ...CRON.progress, status: 'enabled', lastRunAt: STARTED, lastRunId: 'agent-1', lastThreadId: 'thread-1' },
        ...{ lastError: null, runCount: 8, version: 2, lease: null, deletedAt: null },
      });
    });
    test('of a once task leaves it running, without a lease', async () => {
      await claimed(ONCE);
      await record(launched);
      expect(await state()).toMatchObject({ status: 'running', lease: null, runCount: 1 });
    });
    test('of unknown fate is a launch, and keeps its place until its agent run is found', async () => {
      await claimed();
      await record(unknown);
      expect(await run()).toMatchObject({ status: 'running', agentRunId: null });
      expect(await record({ type: 'found', agentRunId: 'agent-1' })).toMatchObject({ changed: true });
      expect(await record({ type: 'found', agentRunId: 'agent-2' })).toMatchObject({ changed: false });
      expect(await run()).toMatchObject({ agentRunId: 'agent-1', startedAt: STARTED });
      expect(await state()).toMatchObject({ lastRunId: 'agent-1', runCount: 8 });
    });
    test('written down twice counts once', async () => {
      await claimed();
      await record(launched);
      const once = await state();
      expect(await record(launched)).toMatchObject({ changed: false, run: { status: 'running' } });
      expect(await state()).toEqual(once);
    });
    test('leaves next_run_at, missed_occurrences and the rule alone', async () => {
      await claimed();
      await record(launched);
      expect(await state()).toMatchObject({ nextRunAt: TOMORROW, missedOccurrences: 3 });
    });
    test('of a task that was deleted meanwhile goes on by itself: the task stays as the deletion left it', async () => {
      await claimed();
      await storage.tasks.discard({ type: 'system', reason: 'test' }, 'task-1', NOON);
      const deleted = await state();
      expect(await record(launched)).toMatchObject({ changed: true, run: { status: 'running' } });
      expect(await state()).toEqual({ ...deleted, version: deleted.version + 1, lease: null });
    });
  });

  describe('a launch that certainly failed', () => {
    test('frees slot and place and says why', async () => {
      await claimed();
      await record(failed);
      expect(await run()).toMatchObject({ status: 'failed', reason: 'launch_failed', finishedAt: ENDED });
      expect(await state()).toMatchObject({
        ...{ status: 'enabled', lastError: 'no such program', lastRunAt: ENDED, lastRunId: null, runCount: 7 },
        ...{ lease: null, nextRunAt: TOMORROW },
      });
    });
    test('fails a once task', async () => {
      await claimed(ONCE);
      await record(failed);
      expect(await state()).toMatchObject({ status: 'failed', lastError: 'no such program' });
    });
    test('that had started after all is never called failed', async () => {
      await claimed();
      await record(launched);
      expect(await record(failed)).toMatchObject({ changed: false, run: { status: 'running' } });
      expect(await state()).toMatchObject({ lastError: null, runCount: 8 });
    });
    test('by hand leaves a once task exactly as it was, but for the lease', async () => {
      const task = aTask({ spec: once('2026-08-01T09:00:00Z') });
      await claimed(task, { trigger: 'manual' });
      await record(failed);
      expect(await state()).toEqual({ ...task.progress, version: 2, lease: null, deletedAt: null });
    });
  });

  describe('a busy thread', () => {
    test('makes a planned run a skip, and leaves the last error as it was', async () => {
      await claimed();
      await record(busy);
      expect(await run()).toMatchObject({ status: 'skipped', reason: 'thread_busy', finishedAt: ENDED });
      expect(await state()).toMatchObject({ status: 'enabled', lastError: 'old', lastRunAt: null, runCount: 7 });
    });
    test('by hand leaves a failed row and nothing else', async () => {
      const task = aTask({ lastError: 'old' });
      await claimed(task, { trigger: 'manual' });
      await record(busy);
      expect(await run()).toMatchObject({ status: 'failed', reason: 'thread_busy' });
      expect(await state()).toEqual({ ...task.progress, version: 2, lease: null, deletedAt: null });
    });
  });

  describe('an end', () => {
    test('writes the status of a once task and last_error, no other column', async () => {
      await claimed(ONCE);
      await record(launched);
      const before = await state();
      await record(ended('error'));
      expect(await run()).toMatchObject({ status: 'failed', reason: 'agent_failed', error: 'boom', finishedAt: ENDED });
      expect(await state()).toEqual({ ...before, status: 'failed', lastError: 'boom', version: before.version + 1 });
    });
    test('of a cron task writes last_error alone', async () => {
      await claimed();
      await record(launched);
      const before = await state();
      await record(ended('error'));
      expect(await state()).toEqual({ ...before, lastError: 'boom', version: before.version + 1 });
    });
    test('that a person’s edit came before leaves that edit alone', async () => {
      await claimed(CRON);
      await record(launched);
      const [task] = await storage.tasks.list(
        { type: 'user', roles: [], tenantId: 1, userId: 'alice' },
        {},
        {
          ...{ limit: 1, offset: 0 },
        },
      );
      const paused = task?.pause(NOON);
      expect(paused && (await storage.tasks.save({ type: 'system', reason: 'test' }, paused))).toBe(true);
      await record(ended('error'));
      expect(await state()).toMatchObject({ status: 'paused', nextRunAt: TOMORROW, lastError: 'boom' });
    });
    test('delivered twice changes nothing the second time', async () => {
      await claimed(ONCE);
      await record(launched);
      await record(ended('success'));
      const once = await state();
      expect(await record(ended('success'))).toMatchObject({ changed: false });
      expect(await record(ended('error'))).toMatchObject({ changed: false, run: { status: 'success' } });
      expect(await state()).toEqual(once);
    });
    test('that was presumed is corrected once', async () => {
      await claimed(ONCE);
      await record(launched);
      await record(lost);
      expect(await state()).toMatchObject({ status: 'cancelled' });
      expect(await record(ended('success'))).toMatchObject({ changed: true, run: { status: 'success' } });
      expect(await state()).toMatchObject({ status: 'completed', lastError: null });
      expect(await record(ended('error'))).toMatchObject({ changed: false });
    });
    test(`${title('protect-07')}`, async () => {
      for (const event of [launched, failed, busy, ended('success')]) {
        expect(await record(event, 'task-run-none')).toEqual({
          run: null,
          changed: false,
          backlog: false,
          waiting: false,
        });
      }
    });
    test(title('protect-06'), async () => {
      // An event carries no user: the run's id alone says whose it is, and nobody else's rows are reached by it.
      await claimed();
      await storage.is.put(aTask({ id: 'task-2', owner: { tenantId: 1, userId: 'bob' }, status: 'running' }), LEASE);
      const before = await storage.is.state('task-2');
      await record(launched);
      await record(ended('error'));
      expect(await storage.is.state('task-2')).toEqual(before);
    });
  });

  describe('in another order than it happened', () => {
    const inOrder = async (task: typeof CRON, status: string, trigger: 'scheduled' | 'manual') => {
      await claimed(task, { trigger });
      await record(launched);
      await record(ended(status));
      const result = { state: await state(), run: await run() };
      await storage.is.clear();
      return { ...result, state: { ...result.state, version: 0 } };
    };
    const now = async () => ({ state: { ...(await state()), version: 0 }, run: await run() });
    const tasks = [
      ['cron, planned', CRON, 'scheduled'],
      ['once, planned', ONCE, 'scheduled'],
      ['cron, by hand', aTask({ lastError: 'old' }), 'manual'],
      ['paused cron, by hand', aTask({ status: 'paused' }), 'manual'],
      ['once, by hand', aTask({ spec: once('2026-08-01T09:00:00Z') }), 'manual'],
    ] as const;
    const all = tasks.flatMap((row) => ['success', 'error', 'interrupted'].map((status) => [...row, status] as const));

    test.each(all)('%s: the end before its launch comes to the same (%#)', async (_what, task, trigger, status) => {
      const expected = await inOrder(task, status, trigger);
      await claimed(task, { trigger });
      await record(ended(status));
      // At once, and not only when the record of the launch comes: that may be never.
      expect(await now()).toEqual(expected);
      expect(await record(launched)).toMatchObject({ changed: false });
      expect(await now()).toEqual(expected);
    });
    const ofStarted = all.filter(([, , , status]) => status !== 'error');
    test.each(ofStarted)(
      '%s: an end that knows no start, then the launch (%#)',
      async (_what, task, trigger, status) => {
        const expected = await inOrder(task, status, trigger);
        await claimed(task, { trigger });
        await record(ended(status, { launch: null }));
        expect((await state()).lease).toBeNull();
        await record(launched);
        expect(await now()).toEqual(expected);
      },
    );
    test.each(all)('%s: both in one batch (%#)', async (_what, task, trigger, status) => {
      const expected = await inOrder(task, status, trigger);
      await claimed(task, { trigger });
      await Promise.all([record(launched), record(ended(status)), record(launched), record(ended(status))]);
      expect(await now()).toEqual(expected);
    });
    test.each(tasks)(
      '%s: an agent run that failed without having started is a failed launch',
      async (_what, task, trigger) => {
        await claimed(task, { trigger });
        await record({ type: 'launch-failed', error: 'boom', at: ENDED });
        const expected = await now();
        await storage.is.clear();
        await claimed(task, { trigger });
        await record(ended('error', { launch: null }));
        expect(await now()).toEqual(expected);
      },
    );
    test('an end that knows no start gives a cron task’s round back by itself', async () => {
      await claimed();
      await record(ended('interrupted', { launch: null }));
      expect(await state()).toMatchObject({ status: 'enabled', lease: null, runCount: 7 });
      await record(failed);
      expect(await state()).toMatchObject({ status: 'enabled', lease: null, runCount: 7 });
    });
  });

  describe('a late owner, after its lease was taken over', () => {
    test('its launch is written, and the lease of the other stays', async () => {
      await storage.is.put(CRON, { owner: 'instance-2', expiresAt: at('2026-07-27T12:10:00Z') });
      await storage.is.putRun(aRun({ instanceId: 'instance-1' }));
      expect(await record(launched)).toMatchObject({ changed: true, run: { status: 'running' } });
      expect(await state()).toMatchObject({ runCount: 8, lease: { owner: 'instance-2' } });
    });
    test('a repetition does not take the lease of a later round of the same process', async () => {
      await claimed(CRON, { status: 'success', startedAt: STARTED, agentRunId: 'agent-1' });
      await storage.is.putRun(aRun({ id: 'task-run-2', scheduledFor: TOMORROW }));
      await record(launched);
      await record(ended('success'));
      expect(await state()).toMatchObject({ status: 'running', lease: LEASE, runCount: 7 });
    });
    test('a launch that comes after a newer one only counts', async () => {
      const newer = at('2026-07-27T12:30:00Z');
      await storage.is.put(aTask({ lastRunAt: newer, lastRunId: 'agent-9', lastError: 'newer', runCount: 7 }));
      await storage.is.putRun(aRun());
      await record(launched);
      expect(await state()).toMatchObject({ lastRunAt: newer, lastRunId: 'agent-9', lastError: 'newer', runCount: 8 });
    });
    test('a planned launch does not take back a pause', async () => {
      await storage.is.put(aTask({ status: 'paused' }));
      await storage.is.putRun(aRun());
      await record(launched);
      expect(await state()).toMatchObject({ status: 'paused', runCount: 1 });
    });
  });

  describe('many at once', () => {
    test('are each judged and written by themselves', async () => {
      for (let nr = 1; nr <= 20; nr++) {
        await storage.is.put(aTask({ id: `task-${nr}`, status: 'running' }), LEASE);
        await storage.is.putRun(aRun({ id: `task-run-${nr}`, taskId: `task-${nr}` }));
      }
      const events = Array.from({ length: 20 }, (_, nr) => record(nr % 2 ? launched : failed, `task-run-${nr + 1}`));
      const results = await Promise.all(events);
      expect(results.map(({ run: written }) => written?.status)).toEqual(
        results.map((_, nr) => (nr % 2 ? 'running' : 'failed')),
      );
      for (let nr = 1; nr <= 20; nr++) {
        expect(await storage.is.state(`task-${nr}`)).toMatchObject({ runCount: nr % 2 ? 0 : 1, lease: null });
      }
    });
    test('two runs of one task: neither loses what the other wrote', async () => {
      await storage.is.put(aTask(), LEASE);
      await storage.is.putRun(aRun({ status: 'interrupted', presumed: true, instanceId: 'instance-9' }));
      await storage.is.putRun(aRun({ id: 'task-run-2', trigger: 'manual' }));
      const second: RunEvent = { type: 'launched', launch: { agentRunId: 'agent-2', startedAt: ENDED } };
      await Promise.all([record(launched), record(second, 'task-run-2')]);
      expect(await state()).toMatchObject({ runCount: 2, lastRunId: 'agent-2', lease: null });
    });
  });

  describe('whether some task is due at this moment, and a place that was freed is wanted', () => {
    test.each([
      ['due', {}, undefined, true],
      ['due a moment later', { nextRunAt: at('2026-07-27T12:00:00.001Z') }, undefined, false],
      ['paused', { status: 'paused' }, undefined, false],
      ['in other hands', {}, { owner: 'instance-2', expiresAt: NOON }, false],
      ['left by other hands', {}, { owner: 'instance-2', expiresAt: at('2026-07-27T11:00:00Z') }, true],
    ] as const)('%s', async (_what, changes, lease, backlog) => {
      await claimed();
      await storage.is.put(aTask({ id: 'task-2', nextRunAt: NOON, ...changes }), lease);
      expect(await record(launched)).toMatchObject({ backlog: false, waiting: false });
      expect(await record(ended('success', { at: at('2026-07-27T11:00:00Z') }))).toMatchObject({ backlog });
      expect(await record(ended('success'))).toMatchObject({ backlog: false, waiting: false });
    });
  });

  test('a task that came due while it was being launched is wanted as soon as it is given back', async () => {
    await claimed(aTask({ status: 'running', nextRunAt: NOON }));
    expect(await record(launched)).toMatchObject({ backlog: true });
  });

  test('drain waits until every event handed in so far is written', async () => {
    await claimed();
    const writing = record(launched);
    await storage.ledger.drain();
    expect(await run()).toMatchObject({ status: 'running' });
    await writing;
  });
});
