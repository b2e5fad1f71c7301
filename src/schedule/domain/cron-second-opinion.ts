// Domain. The library cron-parser reads every newly submitted expression a second time, in UTC and in canonical text,
// and must list the same values. It is used in no other way: given a user's text it fills missing fields and draws
// random minutes, given a zone it loses and doubles runs around clock changes, and its walk costs up to milliseconds.
// In UTC it was never wrong, which makes it the oracle of the property tests as well.
import { CronExpressionParser } from 'cron-parser';
import { daysInMonth } from './calendar';
import { CronExpression } from './cron-expression';

type Lists = readonly (readonly number[])[];
/** How many values each field has; a field that lists them all restricts nothing. */
const SIZES = [60, 24, 31, 12, 7];

/** Numbers only, sorted, no repeats, `*` for a field that restricts nothing: the text that every cron reads alike. */
export function canonicalText(cron: CronExpression): string {
  return textOf(canonicalLists(cron));
}

/** Throws a plain Error when the two readings differ: that is our fault, not the user's, and nothing was stored yet. */
export function confirmReading(cron: CronExpression): void {
  const ours = canonicalLists(cron);
  const { fields } = CronExpressionParser.parse(textOf(ours), { tz: 'UTC', currentDate: 0 });
  const weekdays = fields.dayOfWeek.values.filter((day) => day !== 7);
  const days = fields.dayOfMonth.isWildcard ? ALL_DAYS : fields.dayOfMonth.values;
  const theirs = [fields.minute.values, fields.hour.values, days, fields.month.values, weekdays];
  if (ours.every((list, field) => list.join() === theirs[field]!.join())) return;
  throw new Error(`"${cron.text}" is read in two ways: cron-parser disagrees about "${textOf(ours)}".`);
}

const ALL_DAYS = Array.from({ length: 31 }, (_, index) => index + 1);
const ALL_WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

/** Says the same with less: days that the months never have are left out, and so is a day field that changes nothing. */
function canonicalLists(cron: CronExpression): Lists {
  const longest = Math.max(...cron.months.map((month) => daysInMonth(2000, month)));
  const possible = cron.days.length === 31 ? cron.days : cron.days.filter((day) => day <= longest);
  let [days, weekdays] = [possible, cron.weekdays];
  // Either day runs, and one of the two fields covers them all: then every day runs.
  if (cron.eitherDay && (possible.length >= longest || weekdays.length === 7))
    [days, weekdays] = [ALL_DAYS, ALL_WEEKDAYS];
  // Only weekdays are left of "31 February or Sunday"; and all days of a short month are no restriction.
  if (possible.length === 0 || possible.length >= longest) days = ALL_DAYS;
  return [cron.minutes, cron.hours, days, cron.months, weekdays];
}

function textOf(lists: Lists): string {
  return lists.map((list, field) => (list.length === SIZES[field] ? '*' : list.join(','))).join(' ');
}
