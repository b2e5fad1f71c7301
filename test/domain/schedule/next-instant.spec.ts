import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { parseCron } from '../../../src/schedule/domain/cron-expression';
import { canonicalText } from '../../../src/schedule/domain/cron-second-opinion';
import { nextInstant, nextInstants, occurrencesBetween } from '../../../src/schedule/domain/next-instant';
import { TimeZone, timeZone } from '../../../src/schedule/domain/time-zone';
import { anySchedule, dailySchedule } from '../../support/cron-arbitraries';
import { offsetReader, runsByWalking, transitionsOf } from '../../support/wall-clock-walk';
import type { OffsetReader, Transition } from '../../support/wall-clock-walk';

// Walking a clock minute by minute is slow, and a busy machine makes it slower.
jest.setTimeout(120_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const iso = (instants: readonly (Date | number)[]): string[] => instants.map((one) => new Date(one).toISOString());
const runsOf = (cron: string, zone: string, after: string, count: number): string[] =>
  iso(nextInstants(parseCron(cron), timeZone(zone), new Date(after), count));

/** Remembers what the slow reader said: the same days are walked again and again. */
function remembered(read: OffsetReader): OffsetReader {
  const known = new Map<number, number>();
  return (instant) => {
    const offset = known.get(instant) ?? read(instant);
    known.set(instant, offset);
    return offset;
  };
}

/** All runs of a window, asked for one after the other, each time knowing nothing but the run before. */
function runsByAsking(cron: string, zone: TimeZone, from: number, to: number): number[] {
  const parsed = parseCron(cron);
  const found: number[] = [];
  for (let at = from - 1; ; found.push(at)) {
    at = nextInstant(parsed, zone, new Date(at)).getTime();
    if (at >= to) return found;
  }
}

describe('the next instant', () => {
  it.each([
    ['next-05', '0 9 * * *', 'Asia/Shanghai', '2026-07-27T12:00:00Z', ['2026-07-28T01:00:00.000Z']],
    [
      'dst-02',
      '0 9 * * *',
      'America/New_York',
      '2026-10-31T20:00:00Z',
      ['2026-11-01T14:00:00.000Z', '2026-11-02T14:00:00.000Z'],
    ],
    [
      'dst-03',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00:00Z',
      ['2026-03-08T07:30:00.000Z', '2026-03-09T06:30:00.000Z'],
    ],
    [
      'dst-05',
      '0 1 * * *',
      'Europe/London',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z'],
    ],
    [
      'dst-06',
      '0 * * * *',
      'America/New_York',
      '2026-11-01T04:30:00Z',
      ['2026-11-01T05:00:00.000Z', '2026-11-01T06:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    ],
    [
      'cron-rule-01',
      '0 0 13 * 5',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-02T00:00:00.000Z', '2026-01-09T00:00:00.000Z', '2026-01-13T00:00:00.000Z'],
    ],
    [
      'cron-rule-02',
      '0 0 */2 * 1',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-03T00:00:00.000Z', '2026-01-05T00:00:00.000Z', '2026-01-07T00:00:00.000Z'],
    ],
    [
      'cron-rule-04',
      '0 0 31 * *',
      'UTC',
      '2026-01-31T01:00:00Z',
      ['2026-03-31T00:00:00.000Z', '2026-05-31T00:00:00.000Z'],
    ],
    [
      'leap years',
      '0 0 29 2 *',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z'],
    ],
    ['no leap day in 2100', '0 0 29 2 *', 'America/New_York', '2096-03-01T00:00:00Z', ['2104-02-29T05:00:00.000Z']],
    [
      'a day left out at the date line',
      '0 9 30 12 *',
      'Pacific/Apia',
      '2011-12-01T00:00:00Z',
      ['2011-12-30T19:00:00.000Z', '2012-12-29T19:00:00.000Z'],
    ],
    [
      'a daily run, the day left out',
      '0 9 * * *',
      'Pacific/Apia',
      '2011-12-29T00:00:00Z',
      ['2011-12-29T19:00:00.000Z', '2011-12-30T19:00:00.000Z', '2011-12-31T19:00:00.000Z'],
    ],
    [
      'two hours at once',
      '30 2 * * *',
      'Antarctica/Troll',
      '2026-03-29T00:00:00Z',
      ['2026-03-29T02:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'half an hour, every hour',
      '45 * * * *',
      'Australia/Lord_Howe',
      '2026-04-04T14:20:00Z',
      ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z', '2026-04-04T16:15:00.000Z'],
    ],
    [
      'local mean time with seconds',
      '0 9 * * *',
      'America/New_York',
      '1880-01-01T00:00:00Z',
      ['1880-01-01T13:56:02.000Z'],
    ],
    [
      'seconds in the offset until 1972',
      '0 0 * * *',
      'Africa/Monrovia',
      '1972-01-05T12:00:00Z',
      ['1972-01-06T00:44:30.000Z', '1972-01-07T00:44:30.000Z', '1972-01-08T00:00:00.000Z'],
    ],
    ['three quarters of an hour', '0 0 * * *', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', ['2026-01-01T18:15:00.000Z']],
  ])('%s', (_what, cron, zone, after, expected) => {
    expect(runsOf(cron, zone, after, expected.length)).toEqual(expected);
  });

  it('is strictly later than the instant asked from, and on a whole minute', () => {
    expect(runsOf('* * * * *', 'UTC', '2026-01-01T00:00:00.000Z', 1)).toEqual(['2026-01-01T00:01:00.000Z']);
    expect(runsOf('* * * * *', 'UTC', '2025-12-31T23:59:59.999Z', 1)).toEqual(['2026-01-01T00:00:00.000Z']);
    expect(runsOf('* * * * *', 'UTC', '2026-01-01T00:00:00.001Z', 1)).toEqual(['2026-01-01T00:01:00.000Z']);
  });

  it('works long ago and in a far future', () => {
    expect(runsOf('0 9 * * *', 'Europe/Paris', '9998-07-01T12:00:00Z', 1)).toEqual(['9998-07-02T07:00:00.000Z']);
    expect(runsOf('0 0 1 1 *', 'UTC', '0050-06-01T00:00:00Z', 1)).toEqual(['0051-01-01T00:00:00.000Z']);
  });

  it('refuses what is no date, and a run beyond all dates', () => {
    const cron = parseCron('0 0 1 1 *');
    expect(() => nextInstant(cron, timeZone('UTC'), new Date(NaN))).toThrow(RangeError);
    expect(() => nextInstant(cron, timeZone('UTC'), new Date(8.64e15))).toThrow(RangeError);
  });

  it('in UTC is what cron-parser says', () => {
    const instant = fc.date({ min: new Date('1971-01-01'), max: new Date('2095-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anySchedule, instant, (schedule, after) => {
        const cron = parseCron(schedule.text);
        const oracle = CronExpressionParser.parse(canonicalText(cron), { tz: 'UTC', currentDate: after });
        const expected = Array.from({ length: 4 }, () => oracle.next().toDate());
        expect(iso(nextInstants(cron, timeZone('UTC'), after, 4))).toEqual(iso(expected));
      }),
      { numRuns: 200 },
    );
  });

  it('is of a schedule that the walk over a wall clock without changes would list', () => {
    fc.assert(
      fc.property(anySchedule, fc.integer({ min: 0, max: 60 * 365 * 1440 }), (schedule, minute) => {
        const wall = minute * MINUTE;
        expect(parseCron(schedule.text).lists(minute)).toBe(schedule.lists(new Date(wall)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the next instant around clock changes', () => {
  const from = Date.UTC(2025, 0, 1);
  const to = Date.UTC(2027, 0, 1);
  const named: Transition[] = [
    ...transitionsOf('Pacific/Apia', Date.UTC(2011, 11, 1), Date.UTC(2012, 0, 2)),
    ...transitionsOf('America/Caracas', Date.UTC(2016, 3, 1), Date.UTC(2016, 5, 1)),
    ...transitionsOf('Asia/Pyongyang', Date.UTC(2015, 7, 1), Date.UTC(2018, 5, 1)),
    ...transitionsOf('Pacific/Kwajalein', Date.UTC(1993, 7, 1), Date.UTC(1993, 8, 1)),
    ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Antarctica/Troll', 'America/Nuuk', 'Atlantic/Azores'].flatMap(
      (zone) => transitionsOf(zone, from, to),
    ),
    ...['America/Havana', 'Africa/Casablanca', 'America/Scoresbysund'].flatMap((zone) => transitionsOf(zone, from, to)),
  ];
  const window = { before: 6 * HOUR, after: 34 * HOUR };

  function expectTheWalk(text: string, walked: number[], zone: TimeZone, at: number): void {
    const asked = runsByAsking(text, zone, at - window.before, at + window.after);
    if (asked.join() === walked.join()) return;
    const missing = walked.filter((run) => !asked.includes(run));
    const extra = asked.filter((run) => !walked.includes(run));
    const shown = JSON.stringify({ at: iso([at]), missing: iso(missing.slice(0, 5)), extra: iso(extra.slice(0, 5)) });
    throw new Error(`"${text}" in ${zone.name} is not the walk: ${shown}`);
  }

  it('has the zones that are known for trouble', () => {
    expect(new Set(named.map((one) => one.zone)).size).toBe(12);
  });

  it('equals a walk minute by minute, in the zones known for trouble', () => {
    const clocks = new Map(named.map((one) => [one, remembered(offsetReader(one.zone))]));
    fc.assert(
      fc.property(fc.constantFrom(...named), fc.oneof(dailySchedule, anySchedule), (change, schedule) => {
        const walked = runsByWalking(
          schedule,
          clocks.get(change)!,
          change.at - window.before,
          change.at + window.after,
        );
        expectTheWalk(schedule.text, walked, timeZone(change.zone), change.at);
      }),
      { numRuns: 120 },
    );
  });

  it('equals the walk at every change of every zone, two years long', () => {
    // Zones that change alike stand for one another; one of each sort is walked, with schedules chosen at random.
    const kinds = new Map<string, { change: Transition; offsetAt: OffsetReader }>();
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const read = offsetReader(zone);
      for (const change of transitionsOf(zone, from, to)) {
        const [before, after] = [read(change.at - MINUTE), read(change.at)];
        const offsetAt: OffsetReader = (instant) => (instant < change.at ? before : after);
        kinds.set(`${change.at} ${before} ${after}`, { change, offsetAt });
      }
    }
    expect(kinds.size).toBeGreaterThan(60);
    const schedules = fc.sample(dailySchedule, kinds.size * 2);
    let next = 0;
    for (const { change, offsetAt } of kinds.values()) {
      for (const schedule of schedules.slice(next, (next += 2))) {
        const walked = runsByWalking(schedule, offsetAt, change.at - window.before, change.at + window.after);
        expectTheWalk(schedule.text, walked, timeZone(change.zone), change.at);
      }
    }
  });

  it('equals the walk for clocks that change by any amount at any time', () => {
    // No zone was ever further from UTC than sixteen hours.
    const offset = fc.oneof(fc.constantFrom(0, 60, 120, 30, -600, 840), fc.integer({ min: -16 * 60, max: 16 * 60 }));
    const change = fc.record({ at: fc.integer({ min: -40 * 1440, max: 40 * 1440 }), before: offset, then: offset });
    const midnight = Date.UTC(2026, 4, 1);
    fc.assert(
      fc.property(change, fc.oneof(dailySchedule, anySchedule), ({ at, before, then }, schedule) => {
        const instant = midnight + at * MINUTE;
        const offsetAt: OffsetReader = (t) => (t < instant ? before : then) * MINUTE;
        const walked = runsByWalking(schedule, offsetAt, instant - window.before, instant + window.after);
        expectTheWalk(schedule.text, walked, new TimeZone('Test/Any', offsetAt), instant);
      }),
      { numRuns: 150 },
    );
  });

  it('does not depend on when it is asked', () => {
    const clocks = new Map(named.map((one) => [one, remembered(offsetReader(one.zone))]));
    const ms = fc.integer({ min: -6 * HOUR, max: 30 * HOUR });
    fc.assert(
      fc.property(fc.constantFrom(...named), dailySchedule, ms, (change, schedule, shift) => {
        const after = change.at + shift;
        const walked = runsByWalking(schedule, clocks.get(change)!, change.at - 6 * HOUR, change.at + 2 * DAY);
        const found = nextInstant(parseCron(schedule.text), timeZone(change.zone), new Date(after));
        const expected = walked.find((run) => run > after);
        if (expected !== undefined) expect(iso([found])).toEqual(iso([expected]));
        else expect(found.getTime()).toBeGreaterThanOrEqual(change.at + 2 * DAY);
      }),
      { numRuns: 120 },
    );
  });
});

describe('counting occurrences', () => {
  const count = (cron: string, zone: string, after: string, until: string, cap = 1000): number =>
    occurrencesBetween(parseCron(cron), timeZone(zone), new Date(after), new Date(until), cap);

  it('leaves out the beginning and includes the end', () => {
    expect(count('0 * * * *', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T03:00:00Z')).toBe(3);
    expect(count('0 * * * *', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T02:59:59.999Z')).toBe(2);
    expect(count('0 * * * *', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(0);
    expect(count('0 * * * *', 'UTC', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(0);
  });

  it('ends at the cap', () => {
    expect(count('* * * * *', 'Europe/Paris', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toBe(1000);
    expect(count('* * * * *', 'UTC', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 0)).toBe(0);
  });

  it('counts 23 and 25 hours on the days of a change', () => {
    expect(count('30 * * * *', 'Europe/Paris', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(23);
    expect(count('30 * * * *', 'Europe/Paris', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(25);
    expect(count('30 2 * * *', 'Europe/Paris', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(1);
  });
});
