// One round of the poller: what it claims, what it hands on, and when it wants to come back.
import type { ClaimedRound } from '../../../src/schedule/ports/dispatch-ledger';
import { ALICE, InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, cron, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const DUE = { nextRunAt: at('2026-07-27T09:00:00Z') };
const TOMORROW = at('2026-07-28T09:00:00Z');
const NOTHING: ClaimedRound = {
  ...{ claimed: [], skipped: 0, waiting: 0, missed: 0 },
  ...{ corrupt: [], full: false, more: false },
};

let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(() => {
  house = new InMemoryHouse();
  process = house.process();
});

/** A ledger that answers these rounds, and this next instant. */
function scripted(rounds: Partial<ClaimedRound>[], next: Date | null): { claims: number } {
  const seen = { claims: 0 };
  house.ledger.claimDue = () => Promise.resolve({ ...NOTHING, ...rounds[seen.claims++] });
  house.ledger.nextDue = () => Promise.resolve({ earliest: next, earliestIdle: null });
  return seen;
}

describe('when every place stays taken', () => {
  const full = (): void => void scripted(Array<Partial<ClaimedRound>>(10).fill({ full: true }), NOON);
  const polls = async (...times: string[]): Promise<void> => {
    for (const time of times) await process.poll(at(`2026-07-27T${time}Z`));
  };

  test('that is told after a minute, and asked about each minute', async () => {
    full();
    await polls('12:00:00', '12:00:15', '12:00:30', '12:00:45');
    expect(process.notices.orders).toEqual([]);
    await polls('12:01:00', '12:01:15');
    expect(process.notices.orders).toEqual([
      { now: at('2026-07-27T12:01:00Z'), dueBefore: NOON, notToldSince: at('2026-07-27T11:01:00Z') },
    ]);
  });
  test('a poller that cannot tell it dispatches on', async () => {
    full();
    process.notices.tell = () => Promise.reject(new Error('no line'));
    await polls('12:00:00', '12:00:15', '12:00:30', '12:00:45', '12:01:00');
    expect(process.log.warnings).toEqual([expect.stringContaining('no line')]);
  });
});

describe('when the poller comes back', () => {
  test('at the next instant; never where none is waiting', async () => {
    expect(await process.poll()).toBeNull();
    await house.is.put(aTask());
    expect(await process.poll()).toEqual(TOMORROW);
  });
  test('a poll that finds nothing due asks when, and claims nothing', async () => {
    const seen = scripted([], TOMORROW);
    await process.poll();
    expect(await process.poll()).toEqual(TOMORROW);
    expect(seen.claims).toBe(1);
    house.ledger.nextDue = () => Promise.resolve({ earliest: NOON, earliestIdle: null });
    await process.poll();
    expect(seen.claims).toBe(2);
  });
  test('at once while there is more than fits a round', async () => {
    const seen = scripted([{ more: true }, { more: true }, {}], TOMORROW);
    expect(await process.poll()).toEqual(TOMORROW);
    expect(seen.claims).toBe(3);
  });
  test('with every place taken and more due, only when it is woken', async () => {
    const seen = scripted([{ full: true }], NOON);
    expect(await process.poll()).toBeNull();
    expect(seen.claims).toBe(1);
  });
  test('with every place taken and nothing due, at the next instant', async () => {
    scripted([{ full: true }], TOMORROW);
    expect(await process.poll()).toEqual(TOMORROW);
  });
  test('in a moment, when something is due that it could not have', async () => {
    scripted([{}], NOON);
    expect(await process.poll()).toEqual(at('2026-07-27T12:00:00.250Z'));
  });
  test('at once, when it had something and something is due again', async () => {
    scripted([{ skipped: 1 }], NOON);
    expect(await process.poll()).toEqual(NOON);
  });
  test('an occurrence that is in time again after one that was too late runs in the next round', async () => {
    await house.is.put(aTask({ ...DUE, spec: cron('0 * * * *'), misfireGraceSeconds: 1_800 }));
    expect(await process.poll()).toEqual(NOON);
    expect(process.launcher.orders).toEqual([]);
    await process.poll();
    expect(process.launcher.orders).toMatchObject([{ metadata: { scheduled_for: NOON.toISOString() } }]);
  });
});

describe('what a round does', () => {
  test('it ends with the claim: a slow launch delays neither it nor the other launches', async () => {
    await house.is.put(aTask(DUE));
    await house.is.put(aTask({ id: 'task-2', ...DUE }));
    const slow = process.launcher.hold();
    expect(await process.dispatchDue.run(NOON)).toEqual(TOMORROW);
    await slow.reached;
    expect(process.launcher.orders).toHaveLength(2);
    slow.release();
    await process.launchRun.drain();
    expect(await house.is.runsOf('task-1')).toMatchObject([{ status: 'running' }]);
  });
  test('never a start before the planned instant', async () => {
    await house.is.put(aTask({ nextRunAt: at('2026-07-27T12:00:00.001Z') }));
    await process.poll();
    expect(process.launcher.orders).toEqual([]);
  });
  test('skips, missed occurrences and corrupt rows are counted and told', async () => {
    await house.is.put(aTask({ ...DUE, spec: cron('0 * * * *') }));
    await house.is.put(aTask({ id: 'task-2', spec: once('2026-07-27T11:00:00Z'), misfireGraceSeconds: 60 }));
    await house.is.put(aTask({ id: 'task-3', ...DUE }));
    await house.is.spoil('task-3');
    await process.poll();
    expect(process.metrics).toMatchObject({ outcomes: { launched: 1, skipped: 2 }, missedCount: 3 });
    expect(process.log.errors).toEqual([expect.stringContaining('task-3')]);
  });
  test(title('s14-15'), async () => {
    await house.is.put(aTask(DUE));
    await house.is.put(aTask({ id: 'task-2', ...DUE }));
    await house.is.spoil('task-1');
    await process.poll();
    expect(process.launcher.orders).toMatchObject([{ metadata: { scheduled_task_id: 'task-2' } }]);
  });
  test(`${title('s14-14')} (ours: completed, not removed)`, async () => {
    await house.is.put(aTask({ spec: once('2026-07-27T12:00:00Z') }));
    await process.poll();
    const [run] = await house.is.runsOf('task-1');
    const ended = process.launcher.agentRun(run?.id ?? '', { status: 'success', finishedAt: NOON });
    await process.recordOutcome.run(ended, NOON);
    expect(await house.tasks.find(ALICE, 'task-1')).toMatchObject({ status: 'completed', nextRunAt: null });
    expect(await process.poll(TOMORROW)).toBeNull();
    expect(process.launcher.orders).toHaveLength(1);
  });
  test(`${title('startup-07')} (the round fails; the next one is whole)`, async () => {
    await house.is.put(aTask(DUE));
    const claim = house.ledger.claimDue.bind(house.ledger);
    house.ledger.claimDue = () => Promise.reject(new Error('canceling statement due to lock timeout'));
    await expect(process.dispatchDue.run(NOON)).rejects.toThrow(/lock timeout/);
    house.ledger.claimDue = claim;
    await process.poll();
    expect(process.launcher.orders).toHaveLength(1);
  });
  test('once stopped it claims no more, also in the middle of a backlog', async () => {
    const seen = { claims: 0 };
    house.ledger.claimDue = () => {
      seen.claims += 1;
      process.dispatchDue.stop();
      return Promise.resolve({ ...NOTHING, more: true });
    };
    expect(await process.dispatchDue.run(NOON)).toBeNull();
    expect(await process.dispatchDue.run(NOON)).toBeNull();
    expect(seen.claims).toBe(1);
  });
});

describe('claimed ahead of its instant', () => {
  const SOON = at('2026-07-27T12:00:00.800Z');
  beforeEach(async () => {
    process = house.process({ clock: house.clock, policy: { lookAheadMs: 1_000 } });
    await house.is.put(aTask({ spec: cron('0 12 * * *'), nextRunAt: SOON }));
  });
  const claimed = async (): Promise<void> => {
    await process.dispatchDue.run(NOON);
    await process.alarm.waitedFor();
  };
  /** What waits for nothing but the next turn of the event loop. */
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('it holds its place, is confirmed shortly before, and starts at the instant, not sooner', async () => {
    await claimed();
    expect(await house.is.runsOf('task-1')).toMatchObject([{ status: 'queued', scheduledFor: SOON }]);
    expect(process.alarm.instants()).toEqual([at('2026-07-27T12:00:00.350Z')]);
    process.alarm.ring(at('2026-07-27T12:00:00.350Z'));
    await turn();
    expect(process.alarm.instants()).toEqual([SOON]);
    expect(process.launcher.orders).toEqual([]);
    process.alarm.ring(SOON);
    await process.launchRun.drain();
    expect(process.launcher.orders).toHaveLength(1);
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', runCount: 1 });
  });
  test.each([
    ['paused', () => process.pauseTask.run(ALICE, 'task-1', NOON), 'paused'],
    [
      'edited',
      () => process.updateTask.run(ALICE, 'task-1', { scheduleSpec: { cron: '0 15 * * *' } }, NOON),
      'enabled',
    ],
    ['deleted', () => process.deleteTask.run(ALICE, 'task-1', NOON), 'cancelled'],
  ])(
    'a task that is %s before its instant does not start, and no run is left of the claim',
    async (_how, act, status) => {
      await claimed();
      await act();
      expect(await house.is.runsOf('task-1')).toEqual([]);
      expect(await house.is.state('task-1')).toMatchObject({ status, lease: null, missedOccurrences: 0 });
      process.alarm.ring(SOON);
      await process.launchRun.drain();
      expect(process.launcher.orders).toEqual([]);
    },
  );
  test('an edit that changes something else keeps the occurrence', async () => {
    await claimed();
    await process.updateTask.run(ALICE, 'task-1', { title: 'Another title' }, NOON);
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON });
  });
  test('in its last moment it is being dispatched, and an edit is refused', async () => {
    await claimed();
    house.clock.set(at('2026-07-27T12:00:00.660Z'));
    await expect(process.pauseTask.run(ALICE, 'task-1', house.clock.now())).rejects.toMatchObject({
      code: 'schedule.task-dispatching',
    });
  });
  test('as long as the books leave it open it is asked again', async () => {
    const answers = ['open', 'kept'] as const;
    let asked = 0;
    house.ledger.confirm = () => Promise.resolve(answers[asked++]!);
    await claimed();
    process.alarm.ring(at('2026-07-27T12:00:00.350Z'));
    await turn();
    expect(process.alarm.instants()).toEqual([at('2026-07-27T12:00:00.400Z')]);
    process.alarm.ring(SOON);
    await process.launchRun.drain();
    expect(process.launcher.orders).toHaveLength(1);
  });
  test('a process that stops gives back what is not due, and another one claims it', async () => {
    await claimed();
    await process.launchRun.giveBack();
    await process.launchRun.drain();
    expect(process.launcher.orders).toEqual([]);
    expect(await house.is.runsOf('task-1')).toEqual([]);
    expect(await house.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON, lease: null });
  });
  test('what cannot be confirmed is left to recovery', async () => {
    house.ledger.confirm = () => Promise.reject(new Error('The database is away.'));
    await claimed();
    process.alarm.ring(SOON);
    await process.launchRun.drain();
    expect(process.launcher.orders).toEqual([]);
    expect(process.log.warnings).toHaveLength(1);
    await process.settleRuns.run(at('2026-07-27T12:00:20Z'));
    await process.launchRun.drain();
    expect(process.launcher.orders).toHaveLength(1);
  });
  test('what comes within the second is claimed at once, also where a poll had found nothing', async () => {
    await house.is.clear();
    await process.dispatchDue.run(NOON);
    await house.is.put(aTask({ spec: cron('0 12 * * *'), nextRunAt: SOON }));
    await claimed();
    expect(await house.is.runsOf('task-1')).toHaveLength(1);
  });
  test('the poller comes back a second before an idle task, and at the instant of one that is at work', async () => {
    const later = at('2026-07-27T12:00:03Z');
    await house.is.clear();
    await house.is.put(aTask({ nextRunAt: later }));
    expect(await process.dispatchDue.run(NOON)).toEqual(at('2026-07-27T12:00:02Z'));
    await house.is.putRun(aRun({ status: 'running' }));
    expect(await process.dispatchDue.run(NOON)).toEqual(later);
  });
  test('with every place taken it is back at the instant', async () => {
    process = house.process({ clock: house.clock, policy: { lookAheadMs: 1_000, maxConcurrentRuns: 1 } });
    await house.is.put(aTask({ id: 'task-2' }));
    await house.is.putRun(aRun({ taskId: 'task-2', status: 'running' }));
    expect(await process.dispatchDue.run(NOON)).toEqual(SOON);
  });
  test('a run by hand meets the claim as an active run', async () => {
    await claimed();
    await expect(process.triggerTask.run(ALICE, 'task-1', NOON)).rejects.toMatchObject({ code: 'schedule.active-run' });
  });
});
