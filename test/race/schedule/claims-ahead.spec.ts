// A claim that was made ahead, its launch's confirmation, and its owner's edit: exactly one of the two has its way.
// Without `for key share` in CONFIRM (look-ahead.ts) the launch goes on with a run that the edit has taken back;
// without LOCK_CLAIM the edit looks at the time before the launch has confirmed, and deletes a run that is being started.
import { blockedBackends } from '../../support/blocked-backends';
import { PERSON } from '../../support/held-sessions';
import { ALICE } from '../../support/in-memory-house';
import { RaceTrack, type RacingProcess } from '../../support/race-track';
import { aTask, at, cron, NOON, OWNER } from '../../support/schedule-builders';

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

describe('a run by hand waits beside the claim of a task that queues', () => {
  const ORDER = { now: NOON, instanceId: 'instance-b', leaseSeconds: 120, budget: 10, limit: 10 };
  let waitingId: string;
  let other: RacingProcess;
  beforeEach(async () => {
    await track.clear();
    await track.is.put(aTask({ spec: cron('0 9 * * *'), nextRunAt: SOON, overlapPolicy: 'queue' }));
    process = track.process('instance-a');
    other = track.process('instance-b');
    runId = (await process.ledger.claimDue({ ...ORDER, horizon: SOON, instanceId: 'instance-a' })).claimed[0]!.run.id;
    const claim = await process.ledger.claimManual(OWNER, 'task-1', ORDER);
    if (claim.outcome !== 'waiting') throw new Error(`It is ${claim.outcome}.`);
    waitingId = claim.run.id;
  });

  test('the claim is given back while another process gives the waiting run its turn: it gets it afterwards, once', async () => {
    const back = process.sessions.holdNext('dispatch: give back');
    const giving = process.ledger.giveBack([runId]);
    await back.reached;
    const promoting = [other.ledger.promote([waitingId], ORDER), other.ledger.promote([waitingId], ORDER)];
    await blockedBackends(track.database, 2);
    back.release();
    await giving;
    expect((await Promise.all(promoting)).flat().map(({ run }) => run.id)).toEqual([waitingId]);
    expect(await track.is.runsOf('task-1')).toMatchObject([{ id: waitingId, status: 'queued' }]);
    expect(await track.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON });
  });

  test('its turn is looked at while the claim stands, and the claim goes back meanwhile: not now, and the next look has it', async () => {
    const turn = other.sessions.holdNext('dispatch: promote');
    const promoting = other.ledger.promote([waitingId], ORDER);
    await turn.reached;
    const giving = process.ledger.giveBack([runId]);
    await blockedBackends(track.database, 1);
    turn.release();
    expect(await promoting).toEqual([]);
    await giving;
    expect(await track.is.runsOf('task-1')).toMatchObject([{ id: waitingId, status: 'waiting' }]);
    expect(await other.ledger.promote([waitingId], ORDER)).toHaveLength(1);
  });
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
