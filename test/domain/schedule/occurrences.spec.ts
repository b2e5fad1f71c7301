import { countDue, OCCURRENCES, rememberedOccurrences } from '../../../src/schedule/domain/occurrences';
import { at, cron, NOON, once } from '../../support/schedule-builders';

const MINUTELY = cron('* * * * *');

describe('counting what is due', () => {
  test.each([
    ['nothing planned', null, 0],
    ['planned for later', '2026-07-27T12:00:00.001Z', 0],
    ['planned for now', '2026-07-27T12:00:00Z', 1],
    ['planned for five minutes ago', '2026-07-27T11:55:00Z', 6],
    ['999 minutes ago', '2026-07-26T19:21:00Z', 1_000],
    ['1,000 minutes ago: the cap', '2026-07-26T19:20:00Z', 1_000],
    ['years ago', '2016-01-01T00:00:00Z', 1_000],
  ])('%s', (_what, nextRunAt, count) => {
    expect(countDue(MINUTELY, nextRunAt === null ? null : at(nextRunAt), NOON)).toBe(count);
  });
  test('a single moment is one', () => {
    expect(countDue(once('2026-07-27T11:00:00Z'), at('2026-07-27T11:00:00Z'), NOON)).toBe(1);
  });
  test('between two instants, the first is out and the last is in', () => {
    const moment = once('2026-07-27T12:00:00Z');
    expect(OCCURRENCES.between(moment, at('2026-07-27T11:00:00Z'), NOON)).toBe(1);
    expect(OCCURRENCES.between(moment, NOON, at('2026-07-27T13:00:00Z'))).toBe(0);
    expect(OCCURRENCES.between(MINUTELY, NOON, at('2026-07-27T12:03:00Z'))).toBe(3);
  });
});

describe('remembered occurrences', () => {
  const asked: string[] = [];
  const memory = rememberedOccurrences({
    next: (spec, after) => {
      asked.push('next');
      return OCCURRENCES.next(spec, after);
    },
    between: (spec, after, until) => {
      asked.push('between');
      return OCCURRENCES.between(spec, after, until);
    },
  });
  beforeEach(() => asked.splice(0));

  test('ask once for all instants of one minute, of one expression, in one zone', () => {
    const daily = cron('30 9 * * *', 'Asia/Kolkata');
    for (const second of ['00', '30', '59.999']) {
      const after = at(`2026-07-27T12:00:${second}Z`);
      expect(memory.next(daily, after)).toEqual(OCCURRENCES.next(daily, after));
      expect(memory.between(daily, after, at('2026-08-27T12:00:00Z'))).toBe(31);
    }
    expect(asked).toEqual(['next', 'between']);
  });
  test('tell expressions, zones and minutes apart', () => {
    const answers = [
      memory.next(cron('0 9 * * *'), NOON),
      memory.next(cron('0 9 * * *', 'Asia/Tokyo'), NOON),
      memory.next(cron('0 8 * * *'), NOON),
      memory.next(cron('0 9 * * *'), at('2026-07-29T12:00:00Z')),
    ];
    expect(new Set(answers.map(String)).size).toBe(4);
    expect(asked).toHaveLength(4);
  });
  test('give a single moment its own answer every time', () => {
    expect(memory.next(once('2026-07-27T12:00:30Z'), NOON)).toEqual(at('2026-07-27T12:00:30Z'));
    expect(memory.next(once('2026-07-27T12:00:30Z'), at('2026-07-27T12:00:30Z'))).toBeNull();
    expect(memory.between(once('2026-07-27T12:00:30Z'), NOON, at('2026-07-27T12:00:20Z'))).toBe(0);
    expect(memory.between(once('2026-07-27T12:00:30Z'), NOON, at('2026-07-27T12:00:40Z'))).toBe(1);
  });
});
