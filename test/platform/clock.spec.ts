import { DatabaseClock } from '../../src/platform/clock';
import { RandomIds } from '../../src/platform/random-ids';

/** A machine whose two clocks are moved by hand, and a database that is `ahead` of it. */
class Surroundings {
  monotonicMs = 5_000;
  wallMs = Date.UTC(2026, 10, 30, 12);
  databaseMs = Date.UTC(2026, 10, 30, 12);
  readonly machine = { monotonic: () => this.monotonicMs, wall: () => new Date(this.wallMs) };

  pass(ms: number): void {
    this.monotonicMs += ms;
    this.wallMs += ms;
    this.databaseMs += ms;
  }

  /** An answer that takes `there` to the database and `back` from it. */
  reader(there: number, back: number): () => Promise<Date> {
    return () => {
      this.pass(there);
      const read = new Date(this.databaseMs);
      this.pass(back);
      return Promise.resolve(read);
    };
  }
}

const unreachable = () => Promise.reject(new Error('away'));

describe('the clock of the house', () => {
  it('goes by the machine until it was measured, and says so', () => {
    const world = new Surroundings();
    const clock = new DatabaseClock(unreachable, world.machine);
    expect(clock.now()).toEqual(new Date(world.wallMs));
    expect(clock.reading()).toEqual({ source: 'machine', aheadOfWallMs: 0 });
  });

  it('goes by the database afterwards, right in the middle of the round trip', async () => {
    const world = new Surroundings();
    world.databaseMs += 90_000;
    const clock = new DatabaseClock(world.reader(5, 5), world.machine);
    await clock.measure();
    expect(clock.now()).toEqual(new Date(world.databaseMs));
    expect(clock.reading()).toMatchObject({ source: 'database', aheadOfWallMs: 90_000, roundTripMs: 10 });
  });

  it('is wrong by at most half of the round trip', async () => {
    const world = new Surroundings();
    const clock = new DatabaseClock(world.reader(16, 0), world.machine);
    await clock.measure();
    expect(clock.now().getTime() - world.databaseMs).toBe(8);
  });

  it('keeps the quickest of several answers when the first is slow', async () => {
    const world = new Surroundings();
    const answers = [world.reader(900, 0), world.reader(2, 2), world.reader(900, 0)];
    const clock = new DatabaseClock(() => (answers.shift() ?? unreachable)(), world.machine);
    await clock.measure();
    expect(clock.now()).toEqual(new Date(world.databaseMs));
    expect(answers).toHaveLength(1);
  });

  it('takes what a question for something else has brought along, and asks nothing', async () => {
    const world = new Surroundings();
    const clock = new DatabaseClock(unreachable, world.machine);
    await clock.measure({ asked: 4_990, time: new Date(world.databaseMs + 90_000), answered: 5_000 });
    expect(clock.reading()).toMatchObject({ source: 'database', aheadOfWallMs: 90_005, roundTripMs: 10 });
  });

  it('asks again when that was slow and contradicts the offset; otherwise a slow answer says nothing new', async () => {
    const world = new Surroundings();
    const readers = [world.reader(1, 1), world.reader(1, 1)];
    const clock = new DatabaseClock(() => (readers.shift() ?? unreachable)(), world.machine);
    await clock.measure();
    const slow = {
      asked: world.monotonicMs - 500,
      time: new Date(world.databaseMs - 400),
      answered: world.monotonicMs,
    };
    await clock.measure(slow);
    expect([readers.length, clock.reading().aheadOfWallMs]).toEqual([1, 0]);
    world.databaseMs += 60_000;
    await clock.measure({ ...slow, time: new Date(world.databaseMs - 400) });
    expect([readers.length, clock.reading().aheadOfWallMs]).toEqual([0, 60_000]);
  });

  it('does not follow a wall clock that jumps', () => {
    const world = new Surroundings();
    const clock = new DatabaseClock(unreachable, world.machine);
    const before = clock.now().getTime();
    world.wallMs += 3_600_000;
    world.pass(1_000);
    expect(clock.now().getTime() - before).toBe(1_000);
    expect(clock.reading().aheadOfWallMs).toBe(-3_600_000);
  });

  it('keeps its offset when the database cannot be asked', async () => {
    const world = new Surroundings();
    world.databaseMs += 90_000;
    const answers = [world.reader(1, 1)];
    const clock = new DatabaseClock(() => (answers.shift() ?? unreachable)(), world.machine);
    await clock.measure();
    await expect(clock.measure()).rejects.toThrow('away');
    expect(clock.now()).toEqual(new Date(world.databaseMs));
  });

  it('stands still for a small correction backwards, and follows a large one', async () => {
    const world = new Surroundings();
    const clock = new DatabaseClock(world.reader(0, 0), world.machine);
    await clock.measure();
    const given = clock.now();
    world.databaseMs -= 300;
    await clock.measure();
    expect(clock.now()).toEqual(given);
    world.pass(301);
    expect(clock.now().getTime()).toBe(given.getTime() + 1);
    world.databaseMs -= 3_600_000;
    await clock.measure();
    expect(clock.now()).toEqual(new Date(world.databaseMs));
  });
});

describe('new ids', () => {
  const at = (ms: number) => ({ now: () => new Date(ms) });

  it('are UUIDs of version 7 that carry the time', () => {
    const uuid = new RandomIds(at(Date.UTC(2026, 10, 30))).uuid();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 30));
  });

  it('grow strictly, within a millisecond and when the clock goes back', () => {
    const times = Array.from({ length: 20_000 }, (_, index) => 1_000_000 - Math.floor(index / 100));
    const ids = new RandomIds({ now: () => new Date(times.shift() ?? 0) });
    const made = Array.from({ length: 20_000 }, () => ids.uuid());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(20_000);
  });
});
