import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Ticker, type TickerParts } from '../../src/scheduler/ticker';
import type { ClusterTurn, Rhythm, TimetableRow, TurnRequest } from '../../src/scheduler/timetable-row';

// Jest's timers move the steered clock and the timers together.
const clock = { now: () => new Date() };
const START = new Date('2026-03-01T00:30:00.000Z');
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);
const at = (offsetMs: number) => new Date(START.getTime() + offsetMs);

class Watch {
  readonly heard: string[] = [];
  ticked(row: TimetableRow): void {
    this.heard.push(`${row.name} ticked`);
  }
  failed(row: TimetableRow, _durationMs: number, _error: unknown, failuresInARow: number): void {
    this.heard.push(`${row.name} failed ${failuresInARow}`);
  }
  recovered(row: TimetableRow, failures: number): void {
    this.heard.push(`${row.name} recovered after ${failures}`);
  }
}

/** A tick that ends when the test says so. */
class Held {
  readonly starts: Date[] = [];
  private ends: (() => void)[] = [];
  readonly tick = (now: Date): Promise<void> => {
    this.starts.push(now);
    return new Promise((resolve) => this.ends.push(resolve));
  };
  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
  }
}

function row(rhythm: Rhythm, tick: TimetableRow['tick'], more: Partial<TimetableRow> = {}): TimetableRow {
  return { name: 'sweeper', logger: 'Sweeper', rhythm, tick, ...more };
}

describe('the ticker', () => {
  let registry: SchedulerRegistry;
  let watch: Watch;
  let ticker: Ticker | undefined;
  let starts: Date[];
  const offsets = () => starts.map((start) => start.getTime() - START.getTime());
  const note = (now: Date): Promise<void> => {
    starts.push(now);
    return Promise.resolve();
  };
  const open = (rows: TimetableRow[], parts: Partial<TickerParts> = {}): Ticker => {
    ticker = new Ticker(rows, { registry, clock, watch, chance: () => 1, ...parts });
    ticker.start();
    return ticker;
  };

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    registry = new SchedulerRegistry();
    watch = new Watch();
    starts = [];
  });

  afterEach(async () => {
    const ended = ticker?.end(1);
    await seconds(1);
    await ended;
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('ticks an interval row at the start and then at its rhythm, under its name in the registry', async () => {
    open([row({ everyMs: 5_000 }, note)]);
    await seconds(11);
    expect(offsets()).toEqual([0, 5_000, 10_000]);
    expect(registry.getIntervals()).toEqual(['sweeper']);
  });

  it('ticks a cron row at the instants of UTC, and lists it as a cron job', async () => {
    open([row({ cron: '0 1 * * *' }, note)]);
    expect([...registry.getCronJobs().keys()]).toEqual(['sweeper']);
    expect(ticker?.rows()[0]?.nextAt).toEqual(new Date('2026-03-01T01:00:00.000Z'));
    await seconds(48 * 3_600);
    expect(starts.map((start) => start.toISOString())).toEqual([
      '2026-03-01T01:00:00.000Z',
      '2026-03-02T01:00:00.000Z',
    ]);
  });

  it('keeps a cron row by the house clock when the clock of the machine is five minutes off', async () => {
    const behind = { now: () => new Date(Date.now() - 300_000) };
    open([row({ cron: '0 1 * * *' }, note)], { clock: behind });
    await seconds(24 * 3_600);
    expect(starts.map((start) => start.toISOString())).toEqual(['2026-03-01T01:00:00.000Z']);
  });

  it('ticks a whenDue row at the instant it named, else at the latest after its longest pause', async () => {
    const named = [at(1_234), null, at(60_000)];
    const tick = (now: Date) => note(now).then(() => named.shift() ?? null);
    open([row({ whenDue: true, atMostMs: 5_000 }, tick)]);
    await seconds(12);
    expect(offsets()).toEqual([0, 1_234, 6_234, 11_234]);
    expect(ticker?.rows()[0]?.nextAt).toEqual(at(16_234));
  });

  it('never ticks a whenDue row before its instant, though a timer rings early or the clock is put back', async () => {
    let correction = 0;
    const corrected = { now: () => new Date(Date.now() + correction) };
    const tick = (now: Date) => note(now).then(() => at(1_000));
    open([row({ whenDue: true, atMostMs: 5_000 }, tick)], { clock: corrected });
    await jest.advanceTimersByTimeAsync(0);
    correction = -7;
    await jest.advanceTimersByTimeAsync(1_006);
    expect(offsets()).toEqual([0]);
    await jest.advanceTimersByTimeAsync(1);
    expect(offsets()).toEqual([0, 1_000]);
  });

  it('repeats a tick that names a passed instant, without a busy loop', async () => {
    open([row({ whenDue: true, atMostMs: 5_000 }, (now) => note(now).then(() => at(-1)))]);
    await jest.advanceTimersByTimeAsync(100);
    expect(starts).toHaveLength(11);
  });

  it('sets no timer that is longer than a timer can be', async () => {
    const timers = jest.spyOn(global, 'setTimeout');
    const beats = jest.spyOn(global, 'setInterval');
    const day = 86_400_000;
    open([
      row({ whenDue: true, atMostMs: 60 * day }, (now) => note(now).then(() => null)),
      row({ everyMs: 60 * day }, note, { name: 'rare' }),
      row({ cron: '0 1 29 2 *' }, note, { name: 'leap' }),
    ]);
    await seconds(61 * 24 * 3_600);
    expect(offsets()).toEqual([0, 0, 60 * day, 60 * day]);
    const longest = [...timers.mock.calls, ...beats.mock.calls].map(([, ms]) => ms ?? 0);
    expect(Math.max(...longest)).toBeLessThanOrEqual(2 ** 31 - 1);
  });

  it('never lets two ticks of a row overlap', async () => {
    const held = new Held();
    open([row({ everyMs: 1_000 }, held.tick)]);
    await seconds(10);
    expect(held.starts).toHaveLength(1);
    await held.endOne();
    await seconds(1);
    expect(held.starts).toHaveLength(2);
  });

  it('makes one more tick of all wakes during a running one', async () => {
    const held = new Held();
    const kept = open([row({ whenDue: true, atMostMs: 60_000 }, held.tick)]);
    kept.wake('sweeper');
    kept.wake('sweeper');
    expect(held.starts).toHaveLength(1);
    await held.endOne();
    expect(held.starts).toHaveLength(2);
    await held.endOne();
    await seconds(59);
    expect(held.starts).toHaveLength(2);
  });

  it('makes one tick of all wakes at rest, and signals its end', async () => {
    const kept = open([row({ cron: '0 1 * * *' }, note)]);
    kept.wake('sweeper');
    kept.wake('sweeper');
    await kept.ticked('sweeper');
    expect(starts).toHaveLength(1);
    expect(kept.rows()[0]).toMatchObject({ running: false, ticks: 1, nextAt: new Date('2026-03-01T01:00:00.000Z') });
  });

  it('signals the end of a tick that began after the question, not of the one that was running', async () => {
    const held = new Held();
    const kept = open([row({ everyMs: 1_000 }, held.tick)]);
    let signalled = false;
    void kept.ticked('sweeper').then(() => (signalled = true));
    await held.endOne();
    expect(signalled).toBe(false);
    await seconds(1);
    await held.endOne();
    expect(signalled).toBe(true);
  });

  it('goes on after a failed tick, sooner than its rhythm, with growing pauses up to it', async () => {
    let left = 5;
    const tick = (now: Date) => note(now).then(() => (left-- > 0 ? Promise.reject(new Error('no database')) : null));
    open([row({ whenDue: true, atMostMs: 5_000 }, tick)]);
    await seconds(16);
    expect(offsets()).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500]);
    expect(watch.heard.slice(-3)).toEqual(['sweeper failed 5', 'sweeper recovered after 5', 'sweeper ticked']);
    expect(ticker?.rows()[0]).toMatchObject({ failures: 5, failuresInARow: 0, lastError: 'no database', ticks: 6 });
  });

  it('draws the pause after a failure by chance from its upper half', async () => {
    const tick = (now: Date) => note(now).then(() => Promise.reject(new Error('no')));
    open([row({ whenDue: true, atMostMs: 5_000 }, tick)], { chance: () => 0 });
    await seconds(2);
    expect(offsets()).toEqual([0, 250, 750, 1_750]);
  });

  it('takes a tick that throws before its first await for a failed one', async () => {
    open([
      row({ everyMs: 10_000 }, (now) => {
        starts.push(now);
        throw new Error('at once');
      }),
    ]);
    await seconds(1);
    expect(watch.heard).toEqual(['sweeper failed 1', 'sweeper failed 2']);
  });

  it('leaves out the beats of an interval row while it backs off, and keeps to them afterwards', async () => {
    let left = 3;
    const tick = (now: Date) => note(now).then(() => (left-- > 0 ? Promise.reject(new Error('no')) : null));
    open([row({ everyMs: 2_000 }, tick)]);
    await seconds(7);
    expect(offsets()).toEqual([0, 500, 1_500, 3_500, 4_000, 6_000]);
  });

  it('tries a failed cron row again before its next instant', async () => {
    const kept = open([row({ cron: '0 1 * * *' }, (now) => note(now).then(() => Promise.reject(new Error('no'))))]);
    await seconds(30 * 60);
    expect(kept.rows()[0]?.nextAt).toEqual(new Date('2026-03-01T01:00:00.500Z'));
    await seconds(86_400);
    const pauses = starts.map((start, index) => start.getTime() - (starts[index - 1] ?? start).getTime());
    expect(Math.max(...pauses)).toBe(3_600_000);
  });

  it('shortens the pause after a failure when woken, but does not spin', async () => {
    const tick = (now: Date) => note(now).then(() => Promise.reject(new Error('no')));
    const kept = open([row({ whenDue: true, atMostMs: 5_000 }, tick)]);
    await seconds(8);
    const before = starts.length;
    for (let step = 0; step < 100; step++) {
      kept.wake('sweeper');
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(starts.length - before).toBe(2);
  });

  it('waits for the running tick when stopping, and starts no other', async () => {
    const held = new Held();
    const kept = open([row({ everyMs: 1_000 }, held.tick)]);
    let stopped: string[] | undefined;
    void kept.stop(30_000).then((names) => (stopped = names));
    await seconds(5);
    expect(stopped).toBeUndefined();
    await held.endOne();
    expect(stopped).toEqual([]);
    kept.wake('sweeper');
    await seconds(5);
    expect(held.starts).toHaveLength(1);
    expect(registry.getIntervals()).toEqual([]);
    await expect(kept.ticked('sweeper')).rejects.toThrow('closed');
  });

  it('gives up waiting at the deadline, and names the row that did not end', async () => {
    const kept = open([row({ everyMs: 1_000 }, new Held().tick)]);
    const stopped = kept.stop(30_000);
    await seconds(30);
    expect(await stopped).toEqual(['sweeper']);
  });

  it('keeps a row that ticks until the end while the others are drained', async () => {
    const kept = open([row({ everyMs: 1_000 }, note, { untilTheEnd: true })]);
    expect(await kept.stop(10)).toEqual([]);
    await seconds(2);
    expect(starts).toHaveLength(3);
    expect(await kept.end(10)).toEqual([]);
    await seconds(2);
    expect(starts).toHaveLength(3);
  });

  describe('a row that runs once per cluster', () => {
    const turns = (answers: (Date | null)[], last: Date | null = null) => {
      const asked: TurnRequest[] = [];
      const done: boolean[] = [];
      const turn: ClusterTurn = {
        take: (request) => Promise.resolve(void asked.push(request)).then(() => answers.shift() ?? null),
        done: (_row, succeeded) => Promise.resolve(void done.push(succeeded)),
        lastInstant: () => Promise.resolve(last),
      };
      return { turn, asked, done };
    };
    const nightly: Rhythm = { cron: '0 1 * * *' };

    it('ticks only when it is its turn, and asks again when it is told to', async () => {
      const { turn, asked, done } = turns([null, at(12_000)]);
      open([row({ everyMs: 10_000 }, note, { oncePerCluster: true })], { turn });
      await seconds(13);
      expect(offsets()).toEqual([0, 12_000]);
      expect(asked).toEqual(Array(3).fill({ row: 'sweeper', gapMs: 10_000, instant: null }));
      expect(done).toEqual([true, true]);
    });

    it('gives a failed turn back as failed', async () => {
      const { turn, done } = turns([]);
      open([row({ everyMs: 10_000 }, () => Promise.reject(new Error('no')), { oncePerCluster: true })], { turn });
      await seconds(0);
      expect(done).toEqual([false]);
    });

    it('woken, it asks without a gap', async () => {
      const { turn, asked } = turns([]);
      open([row({ everyMs: 10_000 }, note, { oncePerCluster: true })], { turn });
      await seconds(1);
      ticker?.wake('sweeper');
      await seconds(0);
      expect(asked.map(({ gapMs }) => gapMs)).toEqual([10_000, null]);
    });

    it('takes each instant of a cron row once, and retries one that failed as the same', async () => {
      const { turn, asked, done } = turns([]);
      let failures = 1;
      const tick = (now: Date): Promise<void> => (failures-- > 0 ? Promise.reject(new Error('no')) : note(now));
      open([row(nightly, tick, { oncePerCluster: true })], { turn });
      await seconds(1_801);
      expect(asked.map(({ instant }) => instant)).toEqual([at(1_800_000), at(1_800_000)]);
      expect(done).toEqual([false, true]);
    });

    it('makes up at the start for a night that nobody was there for, where the row asks for it', async () => {
      const missed = new Date('2026-02-28T01:00:00Z');
      const { turn, asked } = turns([], new Date('2026-02-26T01:00:00Z'));
      open([row(nightly, note, { oncePerCluster: true, makeUpMissed: true })], { turn });
      await seconds(1_800);
      expect(offsets()).toEqual([0, 1_800_000]);
      expect(asked.map(({ instant }) => instant)).toEqual([missed, at(1_800_000)]);
    });

    it.each([
      ['the very first start', null],
      ['no instant missed', new Date('2026-02-28T01:00:00Z')],
    ])('makes up for nothing: %s', async (_, last) => {
      open([row(nightly, note, { oncePerCluster: true, makeUpMissed: true })], { turn: turns([], last).turn });
      await seconds(1_800);
      expect(offsets()).toEqual([1_800_000]);
    });
  });

  it('refuses a row that runs once per cluster when nothing decides whose turn it is, and two rows of one name', () => {
    const parts = { registry, clock, watch };
    expect(() => new Ticker([row({ everyMs: 1 }, note, { oncePerCluster: true })], parts)).toThrow('whose turn');
    expect(() => new Ticker([row({ everyMs: 1 }, note), row({ everyMs: 1 }, note)], parts)).toThrow('sweeper');
  });

  it('says at the start in one line what every row is and when', () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    open([
      row({ whenDue: true, atMostMs: 5_000 }, note, { name: 'a' }),
      row({ everyMs: 21_600_000 }, note, { name: 'b' }),
      row({ cron: '0 1 * * *' }, note, { name: 'c' }),
    ]);
    expect(log.mock.calls.map(([line]) => String(line))).toEqual([
      'Timetable: a when due, at the latest every 5 s; b every 6 h; c at 0 1 * * * (cron, UTC)',
    ]);
  });
});
