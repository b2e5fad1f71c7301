// A claim that was made ahead, its launch's confirmation, its owner's edit, and whoever waits for it to go: one has its way.
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

// Seen red: without `for key share` in CONFIRM (look-ahead.ts) the launch is told `kept`, with a run that the edit deletes.
test('an edit that was in time and commits late: the confirmation waits for it, and hears that the run is gone', async () => {
  const edit = process.sessions.holdNext(PERSON, 1);
  const pausing = process.pauseTask.run(ALICE, 'task-1', NOON);
  await edit.reached;
  await track.is.setLeaseClock(CLOSED);
  const confirming = process.ledger.confirm(runId);
  await Promise.race([confirming, blockedBackends(track.database, 1)]);
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

  // Seen red: without LOCK_TASKS_OF in promote (waiting-runs.ts) the run is found blocked by the claim that is going, and
  // nobody gets it.
  test('the claim is given back while another process gives the waiting run its turn: it gets it afterwards, once', async () => {
    const back = process.sessions.holdNext('dispatch: give back');
    const giving = process.ledger.giveBack([runId]);
    await back.reached;
    const promoting = [other.ledger.promote([waitingId], ORDER), other.ledger.promote([waitingId], ORDER)];
    await Promise.race([Promise.all(promoting), blockedBackends(track.database, 2)]);
    back.release();
    await giving;
    expect((await Promise.all(promoting)).flat().map(({ run }) => run.id)).toEqual([waitingId]);
    expect(await track.is.runsOf('task-1')).toMatchObject([{ id: waitingId, status: 'queued' }]);
    expect(await track.is.state('task-1')).toMatchObject({ status: 'enabled', nextRunAt: SOON });
  });

  // Seen red: without the question for an active run in PROMOTE it ends in an error of the unique index; without LOCK_TASKS_OF
  // in promote the claim goes back without waiting.
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

// Seen red: without LOCK_CLAIM (look-ahead.ts) the edit has looked at the time before it waited, and deletes a run that is
// being started; without `for key share` in CONFIRM it does not wait.
test('an edit that comes while the run is confirmed, and waits until the claim has closed: too late, nothing is written', async () => {
  const { task, openClaim } = (await process.tasks.findForEdit(ALICE, 'task-1'))!;
  const early = process.sessions.holdNext('dispatch: confirm');
  const first = process.ledger.confirm(runId);
  await early.reached;
  const saving = process.tasks.save(ALICE, task.pause(NOON), openClaim);
  await Promise.race([saving, blockedBackends(track.database, 1)]);
  await track.is.setLeaseClock(CLOSED);
  // One that passes the edit while it waits: locks that are shared do not stand in line.
  expect(await track.process('instance-a').ledger.confirm(runId)).toBe('kept');
  early.release();
  expect(await first).toBe('open');
  expect(await saving).toBe(false);
  expect(await track.runs()).toMatchObject([{ status: 'queued' }]);
  expect(await track.is.state('task-1')).toMatchObject({ status: 'running', version: 2 });
});
