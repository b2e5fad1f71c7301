// Recovery: every active run is brought in line with what is true of its agent run, and a living process's launch is left
// alone.
import type { ScheduledRun } from '../../../src/schedule/domain/run';
import { InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';
import type { ScheduleProcess } from '../../support/schedule-process';

const LATER = at('2026-07-27T12:01:00Z');
const LEASE = { owner: 'dead', expiresAt: at('2026-07-27T12:02:00Z') };
const ALIVE = { heartbeatAt: LATER, stoppedAt: null };
const STOPPED = { heartbeatAt: LATER, stoppedAt: LATER };
const RUNNING = { status: 'running', agentRunId: 'agent-1', startedAt: NOON } as const;

let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(async () => {
  house = new InMemoryHouse();
  process = house.process();
  house.clock.set(LATER);
  await house.is.put(aTask({ status: 'running' }), LEASE);
  await house.is.putInstance('instance-1', ALIVE);
  await house.is.putInstance('other', ALIVE);
  await house.is.putInstance('dead', STOPPED);
});

const put = (instanceId: string, changes: Parameters<typeof aRun>[0] = {}) =>
  house.is.putRun(aRun({ instanceId, ...changes }));
const run = async (): Promise<ScheduledRun | undefined> => (await house.is.runsOf('task-1'))[0];
const settle = async (now = LATER): Promise<number> => {
  const settled = await process.settleRuns.run(now);
  await process.launchRun.drain();
  return settled;
};
const agentRun = (changes: Parameters<ScheduleProcess['launcher']['agentRun']>[1] = {}) =>
  process.launcher.agentRun('task-run-1', { agentRunId: 'agent-1', startedAt: NOON, ...changes });
const ENDED = { status: 'success', finishedAt: at('2026-07-27T12:00:30Z') };

describe('a run of a process that is gone', () => {
  test('queued, no agent run: launched now, under the same id; its lease comes free with it', async () => {
    await put('dead');
    expect(await settle()).toBe(1);
    expect(process.launcher.orders).toMatchObject([{ requestId: 'task-run-1' }]);
    expect(await run()).toMatchObject({ status: 'running', instanceId: 'instance-1', scheduledFor: NOON });
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', runCount: 1, lease: null });
    expect(process.wakes.count).toBe(1);
  });
  test('queued, its agent run works: the launch is written down, and it is not settled further', async () => {
    await put('dead');
    agentRun();
    expect(await settle()).toBe(1);
    expect(process.launcher.orders).toEqual([]);
    expect(await run()).toMatchObject({ status: 'running', agentRunId: 'agent-1', startedAt: NOON });
    expect(await settle()).toBe(0);
  });
  test('queued, its agent run is not started yet: whoever owns agent runs will start it', async () => {
    await put('dead');
    agentRun({ status: 'starting', startedAt: null });
    expect(await settle()).toBe(0);
    expect(process.launcher.orders).toEqual([]);
    expect(await run()).toMatchObject({ status: 'queued' });
  });
  test('queued or running, its agent run has ended: launch and end are written down, in this order', async () => {
    for (const changes of [{}, RUNNING]) {
      await put('dead', changes);
      agentRun(ENDED);
      expect(await settle()).toBe(1);
      expect(await run()).toMatchObject({ status: 'success', startedAt: NOON, finishedAt: ENDED.finishedAt });
    }
    expect(await house.is.state('task-1')).toMatchObject({ runCount: 1, lastRunId: 'agent-1', status: 'enabled' });
  });
  test('running, no agent run to be found: interrupted, presumed; the true end may correct it', async () => {
    await put('dead', RUNNING);
    expect(await settle()).toBe(1);
    expect(await run()).toMatchObject({ status: 'interrupted', reason: 'process_lost', presumed: true });
    await process.recordOutcome.run(agentRun(ENDED), LATER);
    expect(await run()).toMatchObject({ status: 'success', presumed: false });
  });
  test('a once task is cancelled with its run', async () => {
    await house.is.clear();
    await house.is.put(aTask({ spec: once('2026-07-27T12:00:00Z'), status: 'running', nextRunAt: null }));
    await put('dead', RUNNING);
    await settle();
    expect(await house.is.state('task-1')).toMatchObject({ status: 'cancelled', lastError: expect.any(String) });
  });
  test('queued, its task cannot be read any more: it has failed and frees its place', async () => {
    await put('dead');
    await house.is.spoil('task-1');
    await settle();
    expect(process.launcher.orders).toEqual([]);
    expect(await run()).toMatchObject({ status: 'failed', reason: 'launch_failed' });
    expect(await house.ledger.backlog(LATER)).toMatchObject({ activeRuns: 0 });
  });
});

describe('a run of a living process', () => {
  test('is not looked at before its books should long be in order', async () => {
    await put('other', { createdAt: at('2026-07-27T12:00:50Z') });
    await put('instance-1', { id: 'task-run-2', taskId: 'task-2', createdAt: at('2026-07-27T12:00:50Z') });
    process.launcher.find = () => Promise.reject(new Error('must not be asked'));
    expect(await settle()).toBe(0);
  });
  test('another’s, queued: never touched, whether its agent run works or not', async () => {
    await put('other');
    expect(await settle()).toBe(0);
    agentRun();
    expect(await settle()).toBe(0);
    expect(process.launcher.orders).toEqual([]);
    expect(await run()).toMatchObject({ status: 'queued', instanceId: 'other' });
  });
  test('whose completion was lost is brought to its end', async () => {
    await put('other', RUNNING);
    expect(await settle()).toBe(0);
    agentRun({ ...ENDED, status: 'error', error: 'boom' });
    expect(await settle()).toBe(1);
    expect(await run()).toMatchObject({ status: 'failed', error: 'boom' });
    expect(await house.is.state('task-1')).toMatchObject({ lastError: 'boom' });
  });
  test('of unknown fate whose agent run is found learns it, once', async () => {
    await put('other', { status: 'running', startedAt: NOON });
    agentRun();
    expect(await settle()).toBe(1);
    expect(await run()).toMatchObject({ agentRunId: 'agent-1', status: 'running' });
    expect(await settle()).toBe(0);
  });
  test('of unknown fate keeps its place until the deadline, then it is cancelled and given up', async () => {
    await put('other', { status: 'running', startedAt: NOON });
    expect(await settle(at('2026-07-27T12:14:59Z'))).toBe(0);
    expect(await settle(at('2026-07-27T12:15:00Z'))).toBe(1);
    expect(process.launcher.cancelled).toEqual(['task-run-1']);
    expect(await run()).toMatchObject({ status: 'failed', reason: 'launch_unknown', presumed: true });
  });
  test('whose agent run has vanished from the books does not hold its place for ever', async () => {
    await put('other', RUNNING);
    expect(await settle(at('2026-07-27T12:14:59Z'))).toBe(0);
    expect(await settle(at('2026-07-27T12:15:00Z'))).toBe(1);
    expect(await run()).toMatchObject({ status: 'interrupted', reason: 'interrupted', presumed: true });
  });
});

describe('a run of this very process', () => {
  test('whose launch is under way is left alone, also when the process goes on under another name', async () => {
    await house.is.clear();
    await house.is.put(aTask({ nextRunAt: LATER }));
    const launch = process.launcher.hold();
    await process.dispatchDue.run(LATER);
    await launch.reached;
    process.instance.id = 'instance-1-again';
    expect(await settleNow(at('2026-07-27T12:05:00Z'))).toBe(0);
    launch.release();
    await process.launchRun.drain();
    expect(process.launcher.orders).toHaveLength(1);
  });
  test('that nobody launches any more is launched again, under the same id', async () => {
    await put('instance-1');
    expect(await settle()).toBe(1);
    expect(process.launcher.orders).toMatchObject([{ requestId: 'task-run-1' }]);
  });
  test('whose started launch could not be written down is written down now', async () => {
    await put('instance-1');
    agentRun();
    expect(await settle()).toBe(1);
    expect(await run()).toMatchObject({ status: 'running', startedAt: NOON });
  });
});

/** Without waiting for launches: one of them is held. */
const settleNow = (now: Date): Promise<number> => process.settleRuns.run(now);

test('nothing to settle asks nobody and wakes nobody', async () => {
  process.launcher.find = () => Promise.reject(new Error('must not be asked'));
  expect(await settle()).toBe(0);
  expect(process.wakes.count).toBe(0);
});

describe('rests while nothing can be wrong', () => {
  const looks = (): { count: number } => {
    const seen = { count: 0 };
    const look = house.ledger.activeRuns.bind(house.ledger);
    house.ledger.activeRuns = (...asked) => {
      seen.count += 1;
      return look(...asked);
    };
    return seen;
  };
  beforeEach(async () => {
    await house.is.clear();
    process.instance.alone = true;
  });
  test('alone, nothing active, nothing launched since: for two minutes', async () => {
    const seen = looks();
    for (const time of ['12:01:00', '12:01:05', '12:02:59']) await settle(at(`2026-07-27T${time}Z`));
    expect(seen.count).toBe(1);
    await settle(at('2026-07-27T12:03:00Z'));
    expect(seen.count).toBe(2);
  });
  test('a launch, or another process, and it looks again', async () => {
    const seen = looks();
    await settle();
    await house.is.put(aTask({ nextRunAt: LATER }));
    await process.poll(LATER);
    await settle(at('2026-07-27T12:01:05Z'));
    await settle(at('2026-07-27T12:01:10Z'));
    expect(seen.count).toBe(3);
    await house.is.clear();
    await settle(at('2026-07-27T12:01:15Z'));
    process.instance.alone = false;
    await settle(at('2026-07-27T12:01:20Z'));
    expect(seen.count).toBe(5);
  });
});

test('more runs than one page are all settled', async () => {
  for (let nr = 0; nr < 1_100; nr++) {
    const taskId = `task-x${nr}`;
    await put('dead', { ...RUNNING, id: `task-run-${nr}`, taskId });
    await house.is.put(aTask({ id: taskId }));
  }
  expect(await settle()).toBe(1_100);
  expect(await house.ledger.backlog(LATER)).toMatchObject({ activeRuns: 0 });
});
