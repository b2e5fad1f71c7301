// Two pollers over the same due tasks. Each task is taken by one of them, once.
// Seen red: without LOCK_BUDGET and `for update skip locked` in claim-due.ts the second poller reads what the first has
// taken, and takes its lease away.
import { blockedBackends } from '../../support/blocked-backends';
import { RaceTrack } from '../../support/race-track';
import { aTask, at, NOON } from '../../support/schedule-builders';

const TASKS = 200;
const ORDER = { now: NOON, leaseSeconds: 120, budget: 1_000, limit: 7 };

let track: RaceTrack;
beforeAll(async () => {
  track = await RaceTrack.open();
});
afterAll(() => track.close());

test('two pollers over 200 due tasks take each once, and every task has one run', async () => {
  await track.clear();
  for (let nr = 0; nr < TASKS; nr++) {
    await track.is.put(aTask({ id: `task-${nr}`, nextRunAt: at('2026-07-27T09:00:00Z') }));
  }
  const [a, b] = [track.process('instance-a'), track.process('instance-b')];
  const taken: string[] = [];
  const claim = async (poller: typeof a): Promise<number> => {
    const round = await poller.ledger.claimDue({ ...ORDER, instanceId: poller.instance.id });
    expect(round).toMatchObject({ skipped: 0, missed: 0, corrupt: [] });
    taken.push(...round.claimed.map(({ task }) => task.id));
    return round.claimed.length;
  };

  // The first two rounds overlap for certain: one stands at its commit while the other is under way.
  const held = a.sessions.holdNext('dispatch: claim');
  const first = claim(a);
  await held.reached;
  const second = claim(b);
  await Promise.race([second, blockedBackends(track.database, 1)]);
  held.release();
  expect(await first).toBe(7);
  expect(await second).toBe(7);

  const poll = async (poller: typeof a): Promise<void> => {
    while ((await claim(poller)) > 0);
  };
  await Promise.all([poll(a), poll(b)]);

  expect(new Set(taken).size).toBe(TASKS);
  expect(taken).toHaveLength(TASKS);
  expect(await track.runs()).toHaveLength(TASKS);
  for (const id of taken) {
    const state = await track.is.state(id);
    expect(state).toMatchObject({ status: 'running', version: 2, nextRunAt: at('2026-07-28T09:00:00Z') });
    expect(state.lease?.owner).toMatch(/^instance-[ab]$/);
  }
});
