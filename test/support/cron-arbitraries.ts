// Random cron schedules for property tests, each with its own idea of what it lists, so that the parser is judged too.
import fc from 'fast-check';
import type { Listing } from './wall-clock-walk';

interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

function span(from: number, to: number, step = 1): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function term(min: number, max: number): fc.Arbitrary<{ text: string; values: number[] }> {
  const value = fc.integer({ min, max });
  const step = fc.integer({ min: 1, max: max - min + 1 });
  const pair = fc.tuple(value, value).map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
  return fc.oneof(
    { weight: 4, arbitrary: value.map((v) => ({ text: `${v}`, values: [v] })) },
    { weight: 2, arbitrary: pair.map(([a, b]) => ({ text: `${a}-${b}`, values: span(a, b) })) },
    { weight: 1, arbitrary: step.map((s) => ({ text: `*/${s}`, values: span(min, max, s) })) },
    {
      weight: 1,
      arbitrary: fc.tuple(pair, step).map(([[a, b], s]) => ({ text: `${a}-${b}/${s}`, values: span(a, b, s) })),
    },
    { weight: 1, arbitrary: fc.tuple(value, step).map(([v, s]) => ({ text: `${v}/${s}`, values: span(v, max, s) })) },
  );
}

function field(min: number, max: number, stars: number): fc.Arbitrary<Field> {
  const listed = fc.array(term(min, max), { minLength: 1, maxLength: 3 }).map((terms) => ({
    text: terms.map((one) => one.text).join(','),
    values: new Set(terms.flatMap((one) => one.values)),
  }));
  return fc.oneof(
    { weight: stars, arbitrary: fc.constant({ text: '*', values: new Set(span(min, max)) }) },
    { weight: 4, arbitrary: listed },
  );
}

const LONGEST_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Any valid expression. */
export const anySchedule: fc.Arbitrary<Listing> = fc
  .tuple(field(0, 59, 1), field(0, 23, 2), field(1, 31, 4), field(1, 12, 6), field(0, 6, 4))
  .filter(
    ([, , day, month, weekday]) =>
      weekday.text !== '*' || [...month.values].some((m) => [...day.values].some((d) => d <= LONGEST_MONTH[m - 1]!)),
  )
  .map((fields) => scheduleOf(fields));

/** Schedules that are busy around the clock changes of a day: any hours and minutes, every day. */
export const dailySchedule: fc.Arbitrary<Listing> = fc
  .tuple(field(0, 59, 1), field(0, 23, 1))
  .map(([minute, hour]) => scheduleOf([minute, hour, ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS]));

const ALL_DAYS: Field = { text: '*', values: new Set(span(1, 31)) };
const ALL_MONTHS: Field = { text: '*', values: new Set(span(1, 12)) };
const ALL_WEEKDAYS: Field = { text: '*', values: new Set(span(0, 6)) };

function scheduleOf([minute, hour, day, month, weekday]: [Field, Field, Field, Field, Field]): Listing {
  const either = day.text !== '*' && weekday.text !== '*';
  return {
    text: [minute, hour, day, month, weekday].map((one) => one.text).join(' '),
    everyHour: hour.values.size === 24,
    lists: (wall) => {
      const inDays = day.values.has(wall.getUTCDate());
      const inWeekdays = weekday.values.has(wall.getUTCDay());
      return (
        minute.values.has(wall.getUTCMinutes()) &&
        hour.values.has(wall.getUTCHours()) &&
        month.values.has(wall.getUTCMonth() + 1) &&
        (either ? inDays || inWeekdays : inDays && inWeekdays)
      );
    },
  };
}
