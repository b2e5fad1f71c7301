// The budget under many who want a place. It is exact; who finds it full is woken when a place is free, and not before.
import { BudgetFullError } from '../../../src/schedule/domain/errors';
import { outcomeOf, type Outcome } from '../../../src/schedule/domain/outcome';
import { blockedBackends } from '../../support/blocked-backends';
import { RaceTrack } from '../../support/race-track';
import { aRun, aTask, at, NOON, OWNER } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';

const ALICE = { type: 'user', roles: ['user'], ...OWNER } as const;
const success = { type: 'ended', outcome: outcomeOf('success', null) as Outcome, at: NOON, launch: null } as const;

let track: RaceTrack;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());
beforeEach(() => track.clear());

// Seen red: with the lock and the count in one statement, which counts what it saw before it waited for the lock.
test('20 concurrent triggers for three places: three runs, 17 refusals', async () => {
  for (let nr = 0; nr < 20; nr++) await track.is.put(aTask({ id: `task-${nr}` }));
  const processes = Array.from({ length: 20 }, (_, nr) =>
    track.process(`instance-${nr}`, { policy: { maxConcurrentRuns: 3 } }),
  );
  const held = processes[0]?.sessions.holdNext('dispatch: claim by hand');
  const triggering = processes.map((process, nr) =>
    process.triggerTask.run(ALICE, `task-${nr}`, NOON).catch((error: unknown) => error),
  );
  await held?.reached;
  await blockedBackends(track.database, 19);
  held?.release();
  const answers = await Promise.all(triggering);
  expect(answers.filter((answer) => answer instanceof BudgetFullError)).toHaveLength(17);
  expect(await track.runs()).toHaveLength(3);
});

// Seen red: as above.
test(title('budget-08'), async () => {
  for (let nr = 0; nr < 10; nr++) await track.is.put(aTask({ id: `task-${nr}`, nextRunAt: NOON }));
  const policy = { maxConcurrentRuns: 3 };
  const [a, b] = [track.process('instance-a', { policy }), track.process('instance-b', { policy })];
  const held = a.sessions.holdNext('dispatch: claim');
  const first = a.poll();
  await held.reached;
  const second = b.poll();
  await blockedBackends(track.database, 1);
  held.release();
  await Promise.all([first, second]);
  expect(a.launcher.orders.length + b.launcher.orders.length).toBe(3);
  expect(await track.runs()).toHaveLength(3);
});

describe('a full budget with a backlog', () => {
  // Seen red: without `if (full) return null` in dispatch-due.ts the poller is told to come back at an instant that has
  // passed, again and again.
  test('no spin: the poller is not sent back for what waits for a place; a completion wakes it', async () => {
    for (const id of ['task-1', 'task-2', 'task-3']) await track.is.put(aTask({ id, nextRunAt: NOON }));
    const process = track.process('instance-a', { policy: { maxConcurrentRuns: 1 } });
    expect(await process.poll()).toBeNull();
    expect(await process.poll()).toBeNull();
    for (const id of ['task-1', 'task-2']) {
      const woken = process.wakes.next();
      const [run] = await track.is.runsOf(id);
      const known = process.launcher.agentRun(run?.id ?? '', { status: 'success', finishedAt: NOON });
      await process.recordOutcome.run(known, NOON);
      await woken;
      await process.poll();
    }
    expect(process.launcher.orders.map(({ metadata }) => metadata.scheduled_task_id)).toEqual([
      'task-1',
      'task-2',
      'task-3',
    ]);
  });
  // Seen red: with the backlog asked for inside the transaction of the record: the poller still sees the place taken, and
  // the record does not see the task due.
  test('no stall: a completion and a poller that pass each other do not both go to sleep', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    await track.is.setLeaseClock(at('2026-07-27T11:59:59Z'));
    await track.is.put(aTask({ id: 'task-x' }));
    await track.is.putRun(aRun({ taskId: 'task-x', status: 'running', startedAt: NOON }));
    const policy = { maxConcurrentRuns: 1 };
    const [a, b] = [track.process('instance-a', { policy }), track.process('instance-b', { policy })];
    const held = a.sessions.holdNext('dispatch: record');
    const recording = a.ledger.record('task-run-1', success);
    await held.reached;
    await track.is.setLeaseClock(NOON);
    expect(await b.poll(NOON)).toBeNull();
    held.release();
    expect(await recording).toMatchObject({ backlog: true });
    await b.poll(NOON);
    expect(b.launcher.orders).toHaveLength(1);
  });
  // Seen red: with `if (full) return null` before the next instant is asked for, the poller sleeps its whole interval
  // over a task that becomes due after a place was freed.
  test('no stall: with nothing waiting the poller is told the next instant, though every place is taken', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    await track.is.put(aTask({ id: 'task-2', nextRunAt: at('2026-07-27T12:00:01Z') }));
    const process = track.process('instance-a', { policy: { maxConcurrentRuns: 1 } });
    expect(await process.poll()).toEqual(at('2026-07-27T12:00:01Z'));
  });
});
