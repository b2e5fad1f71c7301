// Two writers of what became of a run, at the same time. Both come through, each with its own columns.
import { outcomeOf, type Outcome } from '../../../src/schedule/domain/outcome';
import type { RunEvent } from '../../../src/schedule/domain/run-event';
import { blockedBackends } from '../../support/blocked-backends';
import { PERSON } from '../../support/held-sessions';
import { RaceTrack } from '../../support/race-track';
import { aRun, aTask, at, NOON, once, OWNER } from '../../support/schedule-builders';

const ALICE = { type: 'user', roles: ['user'], ...OWNER } as const;
const LEASE = { owner: 'instance-a', expiresAt: at('2026-07-27T12:02:00Z') };
const LAUNCH = { agentRunId: 'agent-1', startedAt: NOON };
const launched: RunEvent = { type: 'launched', launch: LAUNCH };
const success: RunEvent = {
  ...{ type: 'ended', outcome: outcomeOf('success', null) as Outcome, at: NOON, launch: LAUNCH },
};

let track: RaceTrack;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());
beforeEach(() => track.clear());

// Seen red: without `for update` in LOCK_BOOKS the launch is judged by a run that is still queued, and the run that has
// ended is running again.
test.each([
  ['cron', aTask({ status: 'running' }), 'enabled'],
  ['once', aTask({ spec: once('2026-07-27T12:00:00Z'), status: 'running', nextRunAt: null }), 'completed'],
] as const)(
  '%s: completion before record: the launch comes while the end is being written',
  async (_type, task, status) => {
    await track.is.put(task, LEASE);
    await track.is.putRun(aRun({ instanceId: 'instance-a' }));
    const [a, b] = [track.process('instance-a'), track.process('instance-b')];
    const held = b.sessions.holdNext('dispatch: record');
    const ending = b.ledger.record('task-run-1', success);
    await held.reached;
    const launching = a.ledger.record('task-run-1', launched);
    await blockedBackends(track.database, 1);
    held.release();
    expect(await ending).toMatchObject({ changed: true });
    expect(await launching).toMatchObject({ changed: false, run: { status: 'success' } });
    expect(await track.is.runsOf('task-1')).toMatchObject([
      { status: 'success', startedAt: NOON, agentRunId: 'agent-1' },
    ]);
    expect(await track.is.state('task-1')).toMatchObject({ status, runCount: 1, lastRunId: 'agent-1', lease: null });
  },
);

describe('takeover of an expired lease while the old owner still writes', () => {
  // Seen red: with the record fenced by the lease (`and s.lease_owner = any (c.released)` in WRITE_TASKS) the launch of
  // the old owner is lost, and the task never counts it.
  test('the late record is not lost, and the next occurrence is a skip', async () => {
    await track.is.put(aTask({ status: 'running', nextRunAt: NOON }), {
      ...LEASE,
      expiresAt: at('2026-07-27T11:00:00Z'),
    });
    await track.is.putRun(aRun({ instanceId: 'instance-a', scheduledFor: at('2026-07-26T09:00:00Z') }));
    const [late, other] = [track.process('instance-a'), track.process('instance-b')];
    const held = other.sessions.holdNext('dispatch: claim');
    const polling = other.poll();
    await held.reached;
    const recording = late.ledger.record('task-run-1', launched);
    await blockedBackends(track.database, 1);
    held.release();
    await polling;
    expect(await recording).toMatchObject({ changed: true, run: { status: 'running' } });
    expect(other.launcher.orders).toEqual([]);
    expect(await track.is.state('task-1')).toMatchObject({
      ...{ status: 'enabled', runCount: 1, lastRunId: 'agent-1', lease: null, nextRunAt: at('2026-07-28T09:00:00Z') },
    });
    expect((await track.runs()).map(({ status }) => status).sort()).toEqual(['running', 'skipped']);
  });
  // Seen red: with every lease given back by a record (`c.released <> '{}'` in WRITE_TASKS) the new round has none.
  test('the late record leaves the new owner’s lease', async () => {
    const theirs = { owner: 'instance-b', expiresAt: at('2026-07-27T12:05:00Z') };
    await track.is.put(aTask({ status: 'running' }), theirs);
    await track.is.putRun(aRun({ instanceId: 'instance-a' }));
    await track.process('instance-a').ledger.record('task-run-1', launched);
    expect((await track.is.state('task-1')).lease).toEqual(theirs);
  });
});

describe('delete in flight', () => {
  // Seen red: with LOCK_BOOKS and READ_BOOKS in one statement, which sees the rule as it was before it waited, the
  // deleted task is enabled again.
  test('a launch that is written while its task is being deleted: the run goes on, the task stays deleted', async () => {
    await track.is.put(aTask({ status: 'running' }), LEASE);
    await track.is.putRun(aRun({ instanceId: 'instance-a' }));
    const process = track.process('instance-a');
    const saving = process.sessions.holdNext(PERSON, 1);
    const deleting = process.deleteTask.run(ALICE, 'task-1', NOON);
    await saving.reached;
    const recording = process.ledger.record('task-run-1', launched);
    await blockedBackends(track.database, 1);
    saving.release();
    await deleting;
    expect(await recording).toMatchObject({ run: { status: 'running' } });
    expect(await track.is.state('task-1')).toMatchObject({
      ...{ status: 'cancelled', nextRunAt: null, deletedAt: NOON, runCount: 0, lease: null },
    });
    expect(await process.ledger.backlog(NOON)).toMatchObject({ activeRuns: 1, tasksWithoutNextRun: 0 });
    await process.ledger.record('task-run-1', success);
    expect(await process.ledger.backlog(NOON)).toMatchObject({ activeRuns: 0 });
  });
  // Seen red: without `version = $2` in SAVE_PROGRESS the deletion takes what the claim has written for granted, and the
  // task is deleted with the progress it had before.
  test('a deletion that waited for a claim is made again on what the claim left', async () => {
    await track.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z'), missedOccurrences: 2 }));
    const [poller, owner] = [track.process('instance-a'), track.process('instance-b')];
    const held = poller.sessions.holdNext('dispatch: claim');
    const polling = poller.poll();
    await held.reached;
    const deleting = owner.deleteTask.run(ALICE, 'task-1', NOON);
    await blockedBackends(track.database, 1);
    held.release();
    await Promise.all([polling, deleting]);
    // The occurrence was claimed, so it is not missed.
    expect(await track.is.state('task-1')).toMatchObject({
      status: 'cancelled',
      deletedAt: NOON,
      missedOccurrences: 2,
    });
    expect(await track.runs()).toMatchObject([{ status: 'running' }]);
  });
});

describe('edit against claim', () => {
  // Seen red: without `version = $2` in SAVE_PROGRESS the edit puts next_run_at and status back over the claim.
  test('an edit that waited for a claim is refused while the round is under way', async () => {
    await track.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z') }));
    const [poller, owner] = [track.process('instance-a'), track.process('instance-b')];
    const launch = poller.launcher.hold();
    const held = poller.sessions.holdNext('dispatch: claim');
    const polling = poller.poll();
    await held.reached;
    const editing = owner.updateTask.run(ALICE, 'task-1', { scheduleSpec: { cron: '0 18 * * *' } }, NOON);
    const refused = editing.catch((error: unknown) => error);
    await blockedBackends(track.database, 1);
    held.release();
    expect(await refused).toMatchObject({ code: 'schedule.task-dispatching' });
    expect(await track.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: at('2026-07-28T09:00:00Z') });
    launch.release();
    await polling;
    const edited = await owner.updateTask.run(ALICE, 'task-1', { scheduleSpec: { cron: '0 18 * * *' } }, NOON);
    expect(edited.nextRunAt).toEqual(at('2026-07-27T18:00:00Z'));
  });
  // Seen red: without `skip locked` in CLAIM_DUE the whole round stands behind one person's edit.
  test('a claim does not wait for an edit: it leaves the task for a moment and comes back', async () => {
    await track.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z') }));
    await track.is.put(aTask({ id: 'task-2', nextRunAt: at('2026-07-27T10:00:00Z') }));
    const [poller, owner] = [track.process('instance-a'), track.process('instance-b')];
    const held = owner.sessions.holdNext(PERSON, 1);
    const editing = owner.updateTask.run(ALICE, 'task-1', { prompt: 'Another prompt.' }, NOON);
    await held.reached;
    await poller.poll();
    expect(poller.launcher.orders.map(({ metadata }) => metadata.scheduled_task_id)).toEqual(['task-2']);
    expect(await poller.poll()).toEqual(at('2026-07-27T12:00:00.250Z'));
    held.release();
    await editing;
    await poller.poll();
    expect(poller.launcher.orders.at(-1)).toMatchObject({ prompt: 'Another prompt.' });
  });
  // Seen red: without `version = $2` in SAVE_PROGRESS the later edit wins by not having seen the other.
  test('two edits at once: both are kept', async () => {
    await track.is.put(aTask());
    const [a, b] = [track.process('instance-a'), track.process('instance-b')];
    const held = a.sessions.holdNext(PERSON, 1);
    const first = a.updateTask.run(ALICE, 'task-1', { title: 'First' }, NOON);
    await held.reached;
    const second = b.updateTask.run(ALICE, 'task-1', { prompt: 'Second' }, NOON);
    await blockedBackends(track.database, 1);
    held.release();
    await Promise.all([first, second]);
    expect(await a.tasks.find(ALICE, 'task-1')).toMatchObject({ title: 'First', prompt: 'Second', version: 3 });
  });
});
