// One round of the poller: what it claims, what it hands on, and when it wants to come back.
import type { ClaimedRound } from '../../../src/schedule/ports/dispatch-ledger';
import { ALICE, InMemoryHouse } from '../../support/in-memory-house';
import { aTask, at, cron, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const DUE = { nextRunAt: at('2026-07-27T09:00:00Z') };
const TOMORROW = at('2026-07-28T09:00:00Z');
const NOTHING: ClaimedRound = { claimed: [], skipped: 0, missed: 0, corrupt: [], full: false, more: false };

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
  house.ledger.nextDueAt = () => Promise.resolve(next);
  return seen;
}

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
    house.ledger.nextDueAt = () => Promise.resolve(NOON);
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
