// Domain. The library cron-parser reads every newly submitted expression a second time, in UTC and in canonical text,
// and must list the same values. It is used in no other way: given a user's text it fills missing fields and draws
// random minutes, given a zone it loses and doubles runs around clock changes, and its walk costs up to milliseconds.
// In UTC it was never wrong, which makes it the oracle of the property tests as well.
import { CronExpressionParser } from 'cron-parser';
import { CronExpression } from './cron-expression';
import { DAY_FIELD, HOUR_FIELD, MINUTE_FIELD, MONTH_FIELD, WEEKDAY_FIELD } from './cron-field';
import type { CronFieldRule } from './cron-field';

/** Numbers only, sorted, no repeats, `*` for a field that restricts nothing: the text that every cron reads alike. */
export function canonicalText(cron: CronExpression): string {
  const write = (rule: CronFieldRule, values: readonly number[]): string =>
    values.length === rule.max - rule.min + 1 ? '*' : values.join(',');
  // Either day runs, and one of the two fields covers all days: then every day runs, and both are `*`.
  const allDays = cron.eitherDay && (cron.days.length === 31 || cron.weekdays.length === 7);
  return [
    write(MINUTE_FIELD, cron.minutes),
    write(HOUR_FIELD, cron.hours),
    allDays ? '*' : write(DAY_FIELD, cron.days),
    write(MONTH_FIELD, cron.months),
    allDays ? '*' : write(WEEKDAY_FIELD, cron.weekdays),
  ].join(' ');
}

/** Throws a plain Error when the two readings differ: that is our fault, not the user's, and nothing was stored yet. */
export function confirmReading(cron: CronExpression): void {
  const canonical = canonicalText(cron);
  const { fields } = CronExpressionParser.parse(canonical, { tz: 'UTC', currentDate: 0 });
  const readings: [readonly number[], readonly unknown[]][] = [
    [cron.minutes, fields.minute.values],
    [cron.hours, fields.hour.values],
    [cron.months, fields.month.values],
  ];
  if (!canonical.endsWith('*')) readings.push([cron.weekdays, fields.dayOfWeek.values.filter((day) => day !== 7)]);
  if (canonical.split(' ')[2] !== '*') readings.push([cron.days, fields.dayOfMonth.values]);
  if (readings.every(([ours, theirs]) => ours.length === theirs.length && ours.every((v, i) => v === theirs[i])))
    return;
  throw new Error(`"${cron.text}" is read in two ways: cron-parser disagrees about "${canonical}".`);
}
