// A claim that was made ahead, its launch's confirmation, and its owner's edit: exactly one of the two has its way.
// Without `for key share` in CONFIRM (look-ahead.ts) the launch goes on with a run that the edit has taken back;
// without LOCK_CLAIM the edit looks at the time before the launch has confirmed, and deletes a run that is being started.
import { blockedBackends } from '../../support/blocked-backends';
import { PERSON } from '../../support/held-sessions';
import { ALICE } from '../../support/in-memory-house';
import { RaceTrack, type RacingProcess } from '../../support/race-track';
import { aTask, at, cron, NOON } from '../../support/schedule-builders';

const SOON = at('2026-07-27T12:00:01Z');
const CLOSED = at('2026-07-27T12:00:00.900Z');

let track: RaceTrack;
let process: RacingProcess;
let runId: string;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());
beforeEach(async () => {
  await track.clear();
  await track.is.put(aTask({ spec: cron('0 9 * * *'), nextRunAt: SOON }));
  process = track.process('instance-a');
  const order = { now: NOON, horizon: SOON, instanceId: 'instance-a', leaseSeconds: 120, budget: 10, limit: 10 };
  runId = (await process.ledger.claimDue(order)).claimed[0]!.run.id;
});

test('an edit that was in time and commits late: the confirmation waits for it, and hears that the run is gone', async () => {
  const edit = process.sessions.holdNext(PERSON, 1);
  const pausing = process.pauseTask.run(ALICE, 'task-1', NOON);
  await edit.reached;
  await track.is.setLeaseClock(CLOSED);
  const confirming = process.ledger.confirm(runId);
  await blockedBackends(track.database, 1);
  edit.release();
  expect(await pausing).toMatchObject({ status: 'paused' });
  expect(await confirming).toBe('gone');
  expect(await track.runs()).toEqual([]);
});

test('an edit that comes to the run while it is being confirmed: too late, nothing is written', async () => {
  const { task, openClaim } = (await process.tasks.findForEdit(ALICE, 'task-1'))!;
  await track.is.setLeaseClock(CLOSED);
  const confirmation = process.sessions.holdNext('dispatch: confirm');
  const confirming = process.ledger.confirm(runId);
  await confirmation.reached;
  const saving = process.tasks.save(ALICE, task.pause(NOON), openClaim);
  await blockedBackends(track.database, 1);
  confirmation.release();
  expect(await confirming).toBe('kept');
  expect(await saving).toBe(false);
  expect(await track.runs()).toMatchObject([{ status: 'queued' }]);
  expect(await track.is.state('task-1')).toMatchObject({ status: 'running', version: 2 });
});
