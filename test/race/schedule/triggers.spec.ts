// A trigger by hand against whoever else would start, change or delete the same task. One wins; the other reads exactly as
// if it had come a minute later.
import { ActiveRunError, TaskBusyDispatchingError, TaskNotFoundError } from '../../../src/schedule/domain/errors';
import { blockedBackends } from '../../support/blocked-backends';
import { PERSON } from '../../support/held-sessions';
import { RaceTrack } from '../../support/race-track';
import { aTask, at, NOON, once, OWNER } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';

const ALICE = { type: 'user', roles: ['user'], ...OWNER } as const;
const DUE = { nextRunAt: at('2026-07-27T09:00:00Z') };

let track: RaceTrack;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());
beforeEach(() => track.clear());

describe(title('overlap-05'), () => {
  // Seen red: without LOCK_BUDGET and the `for update` of LOCK_ONE the trigger sees no active run, and ends in an error
  // of the unique index instead of its answer.
  test('the poller first: the trigger answers that there is an active run, and leaves nothing', async () => {
    await track.is.put(aTask(DUE));
    const [poller, person] = [track.process('instance-a'), track.process('instance-b')];
    const held = poller.sessions.holdNext('dispatch: claim');
    const polling = poller.poll();
    await held.reached;
    const triggering = person.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
    await blockedBackends(track.database, 1);
    held.release();
    await polling;
    expect(await triggering).toBeInstanceOf(ActiveRunError);
    expect(await track.runs()).toMatchObject([{ trigger: 'scheduled', status: 'running' }]);
    expect(person.launcher.orders).toEqual([]);
  });
  // Seen red: without LEASE_MANUAL the poller finds the task in nobody's hands and leaves a tombstone beside the launch.
  test('the trigger first: the poller leaves the task alone', async () => {
    await track.is.put(aTask(DUE));
    const [poller, person] = [track.process('instance-a'), track.process('instance-b')];
    const held = person.sessions.holdNext('dispatch: claim by hand');
    const launch = person.launcher.hold();
    const triggering = person.triggerTask.run(ALICE, 'task-1', NOON);
    await held.reached;
    const polling = poller.poll();
    await blockedBackends(track.database, 1);
    held.release();
    await polling;
    expect(await track.runs()).toMatchObject([{ trigger: 'manual', status: 'queued' }]);
    launch.release();
    await triggering;
    expect(poller.launcher.orders).toEqual([]);
    expect(await track.is.state('task-1')).toMatchObject({ nextRunAt: DUE.nextRunAt, runCount: 1, lease: null });
  });
});

describe(title('overlap-03'), () => {
  // Whoever comes second finds an active run, be it committed long ago or a moment ago. Seen red: without LOCK_BUDGET and
  // the row locks the manual loser ends in an error of the unique index, and without LOCK_BUDGET alone the poller leaves
  // the task for a moment instead of its mark.
  test('a scheduled loser leaves the same tombstone', async () => {
    const tombstones = [];
    for (const [id, race] of [['task-1', true] as const, ['task-2', false] as const]) {
      await track.is.setLeaseClock(NOON);
      await track.is.put(aTask({ id, ...DUE }));
      const [poller, person] = [track.process('instance-a'), track.process('instance-b')];
      const held = race ? person.sessions.holdNext('dispatch: claim by hand') : undefined;
      const launch = person.launcher.hold();
      const triggering = person.triggerTask.run(ALICE, id, NOON);
      await (held?.reached ?? launch.reached);
      const polling = race ? poller.poll() : undefined;
      if (race) await Promise.race([polling, blockedBackends(track.database, 1)]);
      // The lease of the trigger runs out before the poller's turn comes.
      await track.is.setLeaseClock(at('2026-07-27T12:02:00.001Z'));
      held?.release();
      await (polling ?? poller.poll());
      launch.release();
      await triggering;
      const tombstone = (await track.is.runsOf(id)).find(({ trigger }) => trigger === 'scheduled');
      tombstones.push({ ...tombstone, id: 'any', taskId: 'any', threadId: 'any' });
    }
    expect(tombstones[0]).toMatchObject({ status: 'skipped', reason: 'overlap' });
    expect(tombstones[0]).toEqual(tombstones[1]);
  });
  test('a manual loser gets the same answer and leaves nothing', async () => {
    await track.is.put(aTask());
    const [a, b] = [track.process('instance-a'), track.process('instance-b')];
    const held = a.sessions.holdNext('dispatch: claim by hand');
    const first = a.triggerTask.run(ALICE, 'task-1', NOON);
    await held.reached;
    const lost = b.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
    await blockedBackends(track.database, 1);
    held.release();
    await first;
    const seen = await b.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
    expect(await lost).toEqual(seen);
    expect(await track.runs()).toHaveLength(1);
  });
});

describe('a once task by hand against its own moment', () => {
  const MOMENT = aTask({ spec: once('2026-07-27T12:00:00Z') });

  // Seen red: without LEASE_MANUAL the poller skips the occurrence for overlap, and the task has failed while its run works.
  test('the trigger first: its run is the run of the task, and nothing is left to fire', async () => {
    await track.is.put(MOMENT);
    const [poller, person] = [track.process('instance-a'), track.process('instance-b')];
    const held = person.sessions.holdNext('dispatch: claim by hand');
    const launch = person.launcher.hold();
    const triggering = person.triggerTask.run(ALICE, 'task-1', NOON);
    await held.reached;
    const polling = poller.poll();
    await blockedBackends(track.database, 1);
    held.release();
    await polling;
    launch.release();
    await triggering;
    expect(await poller.poll()).toBeNull();
    expect(await track.runs()).toMatchObject([{ trigger: 'manual', status: 'running' }]);
    expect(await track.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: null, runCount: 1 });
  });
  // Seen red: without the `not exists` in INSERT_MANUAL the trigger ends in an error of the unique index.
  test('the poller first: the trigger answers that there is an active run', async () => {
    await track.is.put(MOMENT);
    const [poller, person] = [track.process('instance-a'), track.process('instance-b')];
    const held = poller.sessions.holdNext('dispatch: claim');
    const polling = poller.poll();
    await held.reached;
    const triggering = person.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
    await blockedBackends(track.database, 1);
    held.release();
    await polling;
    expect(await triggering).toBeInstanceOf(ActiveRunError);
    expect(await track.runs()).toMatchObject([{ trigger: 'scheduled', status: 'running' }]);
  });
});

// Seen red: without LOCK_BUDGET and the `for update` of LOCK_ONE the second trigger ends in an error of the unique index.
test('a double trigger: one run, and one answer that there is an active run', async () => {
  await track.is.put(aTask());
  const [a, b] = [track.process('instance-a'), track.process('instance-b')];
  const held = a.sessions.holdNext('dispatch: claim by hand');
  const first = a.triggerTask.run(ALICE, 'task-1', NOON);
  await held.reached;
  const second = b.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
  await blockedBackends(track.database, 1);
  held.release();
  expect(await first).toMatchObject({ taskId: 'task-1', trigger: 'manual' });
  expect(await second).toBeInstanceOf(ActiveRunError);
  expect(await track.runs()).toHaveLength(1);
  expect(b.metrics.outcomes).toEqual({ conflict: 1 });
});

// Seen red: with LOCK_ONE and READ_ONE in one statement, which sees the rule as it was before it waited, the deleted task
// is started.
test('a trigger that waited for a deletion finds no task', async () => {
  await track.is.put(aTask());
  const [owner, other] = [track.process('instance-a'), track.process('instance-b')];
  const saving = owner.sessions.holdNext(PERSON, 1);
  const deleting = owner.deleteTask.run(ALICE, 'task-1', NOON);
  await saving.reached;
  const triggering = other.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
  await blockedBackends(track.database, 1);
  saving.release();
  await deleting;
  expect(await triggering).toBeInstanceOf(TaskNotFoundError);
  expect(await track.runs()).toEqual([]);
});

// Seen red: with lock_timeout as long as everywhere else (5 s, data-source-options.ts).
test('a trigger that cannot get the lock gives up after two seconds and says that the task is busy', async () => {
  await track.is.put(aTask());
  const { admin } = track.database;
  await admin.query('begin');
  await admin.query(`select from scheduled_task_states where task_id = 'task-1' for update`);
  const process = track.process('instance-a', { limits: 'inLife' });
  const triggering = process.triggerTask.run(ALICE, 'task-1', NOON).catch((error: unknown) => error);
  await blockedBackends(track.database, 1);
  const start = performance.now();
  expect(await triggering).toBeInstanceOf(TaskBusyDispatchingError);
  expect(performance.now() - start).toBeLessThan(4_500);
  await admin.query('rollback');
  expect(await track.runs()).toEqual([]);
});
