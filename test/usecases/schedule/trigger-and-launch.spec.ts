// A run by hand, and every way in which a launch can end.
import type { LaunchResult } from '../../../src/schedule/ports/run-launcher';
import { ALICE, BOB, InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const FAILED: LaunchResult = { outcome: 'failed', error: 'no such program' };
const UNKNOWN: LaunchResult = { outcome: 'unknown', error: 'socket hang up' };
const BUSY: LaunchResult = { outcome: 'busy' };
const DUE = { nextRunAt: at('2026-07-27T09:00:00Z') };

let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(() => {
  house = new InMemoryHouse();
  process = house.process();
});
const trigger = (actor = ALICE) => process.triggerTask.run(actor, 'task-1', NOON);
const run = async () => (await house.is.runsOf('task-1'))[0];

describe('a trigger by hand', () => {
  test(title('trigger-01'), async () => {
    await house.is.put(aTask());
    expect(await trigger()).toMatchObject({ taskId: 'task-1', trigger: 'manual', scheduledFor: NOON });
    expect(await run()).toMatchObject({ trigger: 'manual', status: 'running', startedAt: NOON });
    expect(process.launcher.orders).toMatchObject([
      {
        ...{ requestId: (await run())?.id, prompt: 'Say what happened last night.', createThread: true },
        metadata: { scheduled_task_id: 'task-1', scheduled_trigger: 'manual', scheduled_for: NOON.toISOString() },
      },
    ]);
    expect(await house.is.state('task-1')).toMatchObject({ runCount: 1, nextRunAt: at('2026-07-28T09:00:00Z') });
  });
  test(title('trigger-02'), async () => {
    await house.is.put(aTask());
    await house.is.putRun(aRun({ status: 'running' }));
    await expect(trigger()).rejects.toMatchObject({ kind: 'conflict', code: 'schedule.active-run' });
    expect(process.launcher.orders).toEqual([]);
    expect(await house.is.runsOf('task-1')).toHaveLength(1);
    expect(await house.is.state('task-1')).toMatchObject({ version: 1, lease: null });
    expect(process.metrics.outcomes).toEqual({ conflict: 1 });
  });
  test('with no place free: refused with the number of places, nothing written, nothing asked', async () => {
    process = house.process({ policy: { maxConcurrentRuns: 1 } });
    await house.is.put(aTask());
    await house.is.putRun(aRun({ taskId: 'task-x' }));
    await expect(trigger()).rejects.toMatchObject({ kind: 'exhausted', message: expect.stringContaining('1 places') });
    expect(await house.is.runsOf('task-1')).toEqual([]);
    expect(process.launcher.orders).toEqual([]);
  });
  test(title('trigger-08'), async () => {
    process.dispatchDue.stop();
    await house.is.put(aTask(DUE));
    expect(await process.poll()).toBeNull();
    await trigger();
    expect(await run()).toMatchObject({ trigger: 'manual', status: 'running' });
  });
  test(`${title('trigger-11')} (ours: the launcher refuses, and the row says so)`, async () => {
    await house.is.put(aTask({ ...DUE, contextMode: 'reuse_thread', threadId: 'no/longer/an/id' }));
    await house.is.put(aTask({ id: 'task-2', ...DUE }));
    process.launcher.script({ outcome: 'failed', error: 'There is no such thread.' });
    await process.poll();
    expect(await run()).toMatchObject({ status: 'failed', reason: 'launch_failed' });
    expect(await house.is.state('task-1')).toMatchObject({ lastError: 'There is no such thread.', status: 'enabled' });
    expect(await house.is.runsOf('task-2')).toMatchObject([{ status: 'running' }]);
  });
  test('another’s task does not exist', async () => {
    await house.is.put(aTask());
    await expect(trigger(BOB)).rejects.toMatchObject({ kind: 'not-found' });
  });
  test('onto a busy thread: refused, a failed row says why, the task is as it was', async () => {
    await house.is.put(aTask({ lastError: 'old' }));
    process.launcher.script(BUSY);
    await expect(trigger()).rejects.toMatchObject({ kind: 'busy', code: 'schedule.thread-busy' });
    expect(await run()).toMatchObject({ status: 'failed', reason: 'thread_busy' });
    expect(await house.is.state('task-1')).toMatchObject({
      lastError: 'old',
      runCount: 0,
      lastRunAt: null,
      lease: null,
    });
    expect(process.metrics.outcomes).toEqual({ conflict: 1 });
  });
  test('that certainly failed: told so; trying again may start it', async () => {
    await house.is.put(aTask());
    process.launcher.script(FAILED);
    await expect(trigger()).rejects.toMatchObject({
      kind: 'downstream',
      message: expect.stringContaining('no such program'),
    });
    expect(await run()).toMatchObject({ status: 'failed', reason: 'launch_failed', error: 'no such program' });
    await trigger();
    expect((await house.is.runsOf('task-1')).map(({ status }) => status).sort()).toEqual(['failed', 'running']);
  });
  test('of unknown fate counts as one, and keeps its place', async () => {
    await house.is.put(aTask());
    process.launcher.script(UNKNOWN);
    await trigger();
    expect(await run()).toMatchObject({ status: 'running', agentRunId: null });
    await expect(trigger()).rejects.toMatchObject({ code: 'schedule.active-run' });
  });
  test('a failed one of a once task leaves its planned run to come', async () => {
    await house.is.put(aTask({ spec: once('2026-08-01T09:00:00Z') }));
    process.launcher.script(FAILED);
    await expect(trigger()).rejects.toMatchObject({ kind: 'downstream' });
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: at('2026-08-01T09:00:00Z') });
  });
});

describe('a launch', () => {
  test(title('claim-11'), async () => {
    await house.is.put(aTask(DUE));
    const launch = process.launcher.hold();
    const polling = process.poll();
    await launch.reached;
    expect(await house.is.state('task-1')).toMatchObject({ status: 'running', lease: { owner: 'instance-1' } });
    launch.release();
    await polling;
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', lease: null });
  });
  test(`${title('launch-01')} (as the launcher tells it: failed)`, async () => {
    await house.is.put(aTask(DUE));
    process.launcher.script(FAILED);
    await process.poll();
    expect(await run()).toMatchObject({ status: 'failed', finishedAt: NOON });
    expect(process.metrics.outcomes).toEqual({ failed: 1 });
    await process.poll(at('2026-07-28T09:00:00Z'));
    expect((await house.is.runsOf('task-1')).at(-1)).toMatchObject({ status: 'running' });
  });
  test.each([
    ['launch-03', UNKNOWN],
    ['launch-04', UNKNOWN],
  ])('%s: whatever the launcher cannot tell keeps slot and place', async (_id, result) => {
    await house.is.put(aTask(DUE));
    process.launcher.script(result);
    await process.poll();
    expect(await run()).toMatchObject({ status: 'running', agentRunId: null });
    expect(process.metrics.outcomes).toEqual({ unknown: 1 });
    expect(process.log.warnings).toHaveLength(1);
    await process.poll(at('2026-07-28T09:00:00Z'));
    expect((await house.is.runsOf('task-1')).at(-1)).toMatchObject({ status: 'skipped', reason: 'overlap' });
  });
  test('that throws although it must not is one of unknown fate', async () => {
    await house.is.put(aTask(DUE));
    process.launcher.script(() => Promise.reject(new Error('a fault of its own')));
    await process.poll();
    expect(await run()).toMatchObject({ status: 'running', agentRunId: null });
  });
  test(title('claim-13'), async () => {
    for (const id of ['task-1', 'task-2', 'task-3']) await house.is.put(aTask({ id, ...DUE }));
    process.launcher.script(FAILED, () => Promise.reject(new Error('a fault of its own')));
    await process.poll();
    expect(process.launcher.orders).toHaveLength(3);
    expect(await house.is.runsOf('task-3')).toMatchObject([{ status: 'running' }]);
  });
  test('on another thread than the one asked for is a breach: unknown, and said so', async () => {
    await house.is.put(aTask(DUE));
    process.launcher.script({ outcome: 'started', agentRunId: 'agent-1', threadId: 'elsewhere', startedAt: NOON });
    await process.poll();
    expect(await run()).toMatchObject({ status: 'running', agentRunId: null });
    expect(process.log.errors).toHaveLength(1);
  });
  test('onto a busy thread is a skip', async () => {
    await house.is.put(aTask(DUE));
    process.launcher.script(BUSY);
    await process.poll();
    expect(await run()).toMatchObject({ status: 'skipped', reason: 'thread_busy' });
    expect(process.metrics.outcomes).toEqual({ skipped: 1 });
  });
  test(`${title('launch-06')} (ours: it stays queued until recovery finds it running)`, async () => {
    await house.is.put(aTask(DUE));
    const record = house.ledger.record.bind(house.ledger);
    house.ledger.record = () => Promise.reject(new Error('the database is away'));
    await process.poll();
    expect(process.log.errors).toEqual([expect.stringMatching(/could not be written down/)]);
    expect(await run()).toMatchObject({ status: 'queued' });
    house.ledger.record = record;
    house.books.instances.set('instance-1', { heartbeatAt: at('2026-07-27T12:00:11Z'), stoppedAt: null });
    house.clock.advance(11);
    expect(await process.settleRuns.run(house.clock.now())).toBe(1);
    expect(await run()).toMatchObject({ status: 'running', startedAt: NOON });
    expect(process.launcher.orders).toHaveLength(1);
  });
  test('that is cut off by the process’s end decides nothing: whoever comes next launches under the same id', async () => {
    await house.is.put(aTask(DUE));
    process.launcher.script({ outcome: 'aborted' });
    await process.poll();
    expect(await run()).toMatchObject({ status: 'queued' });
    expect(process.metrics.outcomes).toEqual({});
    house.books.instances.set('instance-1', { heartbeatAt: NOON, stoppedAt: NOON });
    const survivor = house.process({ instanceId: 'instance-2' });
    house.clock.advance(1);
    await survivor.settleRuns.run(house.clock.now());
    await survivor.launchRun.drain();
    expect(survivor.launcher.orders.map(({ requestId }) => requestId)).toEqual([(await run())?.id]);
    expect(await run()).toMatchObject({ status: 'running', instanceId: 'instance-2' });
  });
  test('that failed frees a place somebody waits for: the poller is woken', async () => {
    process = house.process({ policy: { maxConcurrentRuns: 1 } });
    await house.is.put(aTask(DUE));
    await house.is.put(aTask({ id: 'task-2', nextRunAt: NOON }));
    process.launcher.script(FAILED);
    await process.poll();
    expect(process.wakes.count).toBe(1);
  });
  test('tells its lateness from the planned instant, and drain waits for those under way', async () => {
    await house.is.put(aTask({ nextRunAt: at('2026-07-27T11:59:58Z') }));
    const launch = process.launcher.hold();
    await process.dispatchDue.run(NOON);
    await launch.reached;
    const drained = process.launchRun.drain();
    const id = (await run())?.id ?? '';
    expect(process.launchRun.isUnderWay(id)).toBe(true);
    launch.release();
    await drained;
    expect(process.launchRun.isUnderWay(id)).toBe(false);
    expect(process.metrics.lateness).toEqual([2]);
    expect(process.metrics.outcomes).toEqual({ launched: 1 });
  });
});
