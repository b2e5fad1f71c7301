// A process dies, or stops, at the worst moment. Others go on, and nothing runs twice.
import { blockedBackends } from '../../support/blocked-backends';
import { ScriptedLauncher } from '../../support/fakes/scripted-launcher';
import { SteeredClock } from '../../support/fakes/steered-clock';
import { RaceTrack } from '../../support/race-track';
import { aTask, at, NOON } from '../../support/schedule-builders';

const LATER = at('2026-07-27T12:02:00Z');
const ALIVE = { heartbeatAt: LATER, stoppedAt: null };
const STOPPED = { heartbeatAt: LATER, stoppedAt: LATER };
const ORDER = { now: NOON, leaseSeconds: 120, budget: 10, limit: 10 };

let track: RaceTrack;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());
beforeEach(() => track.clear());

describe('crash between claim and launch', () => {
  // Seen red: without the look at the owner's signs of life in ADOPT the second survivor launches the run as well.
  test('the run of a process that is dead is launched by one survivor, under the same id', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    const [claimed] = (await track.process('instance-a').ledger.claimDue({ ...ORDER, instanceId: 'instance-a' }))
      .claimed;
    await track.is.putInstance('instance-a', STOPPED);
    await track.is.putInstance('instance-b', ALIVE);
    await track.is.putInstance('instance-c', ALIVE);
    await track.is.setLeaseClock(LATER);
    const clock = new SteeredClock(LATER);
    // One world of agents: both survivors would start in it.
    const launcher = new ScriptedLauncher(clock);
    const [b, c] = [track.process('instance-b', { launcher, clock }), track.process('instance-c', { launcher, clock })];
    const held = b.sessions.holdNext('dispatch: adopt');
    const first = b.settleRuns.run(LATER);
    await held.reached;
    const second = c.settleRuns.run(LATER);
    await blockedBackends(track.database, 1);
    held.release();
    await Promise.all([first, second]);
    await Promise.all([b.launchRun.drain(), c.launchRun.drain()]);
    expect(launcher.orders.map(({ requestId }) => requestId)).toEqual([claimed?.run.id]);
    expect(await track.runs()).toMatchObject([{ status: 'running', trigger: 'scheduled' }]);
    expect(await track.is.state('task-1')).toMatchObject({ status: 'enabled', runCount: 1, lease: null });
  });
  // Seen red: with settle-runs.ts launching without a look for the agent run.
  test('an agent run that was started before the crash is followed, not started again', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    const [claimed] = (await track.process('instance-a').ledger.claimDue({ ...ORDER, instanceId: 'instance-a' }))
      .claimed;
    await track.is.putInstance('instance-a', STOPPED);
    await track.is.putInstance('instance-b', ALIVE);
    await track.is.setLeaseClock(LATER);
    const survivor = track.process('instance-b', { clock: new SteeredClock(LATER) });
    survivor.launcher.agentRun(claimed?.run.id ?? '', { startedAt: NOON });
    await survivor.settleRuns.run(LATER);
    await survivor.launchRun.drain();
    expect(survivor.launcher.orders).toEqual([]);
    expect(await track.runs()).toMatchObject([{ status: 'running' }]);
    expect(await track.is.state('task-1')).toMatchObject({ status: 'enabled', runCount: 1, lastRunAt: NOON });
  });
  // Seen red: without `ownerAlive` in settle-runs.ts the launch of a living process is taken from it.
  test('a living process’s launch is never touched', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    await track.is.putInstance('instance-a', ALIVE);
    await track.is.putInstance('instance-b', ALIVE);
    await track.is.setLeaseClock(LATER);
    const [owner, other] = [
      track.process('instance-a'),
      track.process('instance-b', { clock: new SteeredClock(LATER) }),
    ];
    const launch = owner.launcher.hold();
    const polling = owner.poll();
    await launch.reached;
    expect(await other.settleRuns.run(LATER)).toBe(0);
    expect(await owner.settleRuns.run(LATER)).toBe(0);
    launch.release();
    await polling;
    expect(owner.launcher.orders).toHaveLength(1);
    expect(other.launcher.orders).toEqual([]);
  });
});

describe('a claimer stopped inside its transaction', () => {
  // Seen red: without idle_in_transaction_session_timeout in CLAIM_SETTINGS the others never get past it.
  test('the others go on within two seconds, and what it had claimed is theirs', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    const [stopped, other] = [
      track.process('instance-a', { limits: 'inLife' }),
      track.process('instance-b', { limits: 'inLife' }),
    ];
    const held = stopped.sessions.holdNext('dispatch: claim');
    const dying = stopped.poll().catch((error: unknown) => error);
    await held.reached;
    let polled = other.poll().catch((error: unknown) => error);
    if ((await polled) instanceof Error) polled = other.poll();
    expect(await polled).not.toBeInstanceOf(Error);
    expect(other.launcher.orders).toHaveLength(1);
    held.release();
    expect(await dying).toMatchObject({ kind: 'unavailable' });
    expect(stopped.launcher.orders).toEqual([]);
    expect(await track.runs()).toMatchObject([{ status: 'running' }]);
  });
  // Seen red: with lock_timeout as long as everywhere else (5 s, data-source-options.ts).
  test('a round that cannot get the budget’s lock fails after two seconds; the next one succeeds', async () => {
    await track.is.put(aTask({ nextRunAt: NOON }));
    const process = track.process('instance-a', { limits: 'inLife' });
    const { admin } = track.database;
    await admin.query('select pg_advisory_lock(7301148921)');
    const polling = process.poll().catch((error: unknown) => error);
    await blockedBackends(track.database, 1);
    const start = performance.now();
    expect(await polling).toMatchObject({ code: '55P03' });
    expect(performance.now() - start).toBeLessThan(4_500);
    await admin.query('select pg_advisory_unlock(7301148921)');
    await process.poll();
    expect(process.launcher.orders).toHaveLength(1);
  });
});
