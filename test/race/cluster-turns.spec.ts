// A row of the timetable that runs once per cluster: of all processes that ask at once, one has the turn.
import { randomUUID } from 'node:crypto';
import { ClusterTurns } from '../../src/platform/instances/cluster-turns';
import { Instances } from '../../src/platform/instances/instances';
import { testDatabase, type TestDatabase } from '../support/database';

const NOW = new Date('2026-03-01T01:00:00Z');
const NIGHT = { row: 'nightly', gapMs: null, instant: NOW };
const BEAT = { row: 'beat', gapMs: 10_000, instant: null };

let db: TestDatabase;
let instances: Instances;
beforeAll(async () => {
  db = await testDatabase();
  instances = new Instances(db.sessions);
});
beforeEach(() => db.admin.query('delete from timetable_turns'));
afterAll(() => db.close());

async function processes(count: number) {
  const made = Array.from({ length: count }, () => ({ id: randomUUID() }));
  for (const { id } of made) {
    await instances.register(id, { host: id, pid: 1, dataFolder: '/data', version: '1' });
  }
  return made.map(({ id }) => ({ id, turns: new ClusterTurns(db.sessions, { id }) }));
}
const takers = async (all: Awaited<ReturnType<typeof processes>>, wish: typeof NIGHT | typeof BEAT) => {
  const answers = await Promise.all(all.map(({ turns }) => turns.take(wish, NOW)));
  return all.filter((_, index) => answers[index] === null);
};

test('ten ask for one night: one has it, also when all ask again afterwards', async () => {
  const all = await processes(10);
  const [holder, ...more] = await takers(all, NIGHT);
  expect(more).toEqual([]);
  expect(
    await takers(
      all.filter((each) => each !== holder),
      NIGHT,
    ),
  ).toEqual([]);
  await holder!.turns.done('nightly', true);
  expect(await takers(all, NIGHT)).toEqual([]);
  const next = { ...NIGHT, instant: new Date('2026-03-02T01:00:00Z') };
  expect(await takers(all, next)).toHaveLength(1);
});

test('a night whose holder died at it, or failed, is taken by another', async () => {
  const [one, two, three] = await processes(3);
  await one!.turns.take(NIGHT, NOW);
  expect(await two!.turns.take(NIGHT, NOW)).toEqual(new Date('2026-03-01T01:00:15Z'));
  await instances.markStopped(one!.id);
  expect(await two!.turns.take(NIGHT, NOW)).toBeNull();
  await two!.turns.done('nightly', false);
  expect(await three!.turns.take(NIGHT, NOW)).toBeNull();
});

test('a beat is kept as by one process, whoever keeps it', async () => {
  const all = await processes(3);
  const [holder] = await takers(all, BEAT);
  await holder!.turns.done('beat', true);
  const other = all.find((each) => each !== holder)!;
  const again = await other.turns.take(BEAT, NOW);
  expect(again!.getTime() - NOW.getTime()).toBeGreaterThan(5_000);
  expect(again!.getTime() - NOW.getTime()).toBeLessThanOrEqual(10_000);
  await db.admin.query("update timetable_turns set taken_at = taken_at - interval '10 seconds'");
  expect(await takers(all, BEAT)).toHaveLength(1);
});

test('who is woken does not wait for the beat', async () => {
  const [one] = await processes(1);
  await one!.turns.take(BEAT, NOW);
  await one!.turns.done('beat', true);
  expect(await one!.turns.take({ ...BEAT, gapMs: null }, NOW)).toBeNull();
});

test('the first one to ask for missed instants hears of none; from then on the last one is known', async () => {
  const [one] = await processes(1);
  expect(await one!.turns.lastInstant('nightly', NOW)).toBeNull();
  expect(await one!.turns.lastInstant('nightly', new Date('2026-03-05T00:00:00Z'))).toEqual(NOW);
});
