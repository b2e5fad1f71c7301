// Domain. A five-field cron expression as lists of values, and the walk along a wall clock that never changes.
// Not here: the grammar of a field (cron-field.ts), clock changes (next-instant.ts), the second opinion of the library
// cron-parser at submission (cron-second-opinion.ts).
import { civilDate, dayNumber, daysInMonth, weekdayOf } from './calendar';
import { DAY_FIELD, HOUR_FIELD, MINUTE_FIELD, MONTH_FIELD, WEEKDAY_FIELD, readField } from './cron-field';
import { InvalidCronError } from './schedule-errors';

const LONGEST_TEXT = 100;
const MINUTES_A_DAY = 1440;
/** 29 February comes back after eight years at the latest (2096 to 2104), so a walk longer than this is a fault. */
const LONGEST_WALK_MONTHS = 12 * 9;

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Made by `parseCron` only. Two expressions are the same schedule when their `text` is the same. */
export class CronExpression {
  /** As its owner wrote it, blanks folded. */
  readonly text: string;
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Days of the month. */
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** True when a day that matches either of the two day fields runs: both are something other than a bare `*`. */
  readonly eitherDay: boolean;
  /** True when all 24 hours are covered: such a schedule follows the clock through its changes. */
  readonly everyHour: boolean;

  constructor(text: string, fields: readonly [string, string, string, string, string]) {
    const [minute, hour, day, month, weekday] = fields;
    this.text = text;
    this.minutes = readField(MINUTE_FIELD, minute);
    this.hours = readField(HOUR_FIELD, hour);
    this.days = readField(DAY_FIELD, day);
    this.months = readField(MONTH_FIELD, month);
    this.weekdays = readField(WEEKDAY_FIELD, weekday);
    this.eitherDay = day !== '*' && weekday !== '*';
    this.everyHour = this.hours.length === 24;
  }

  /** The first listed minute that is not before `wall`. Minutes of a wall clock are counted from 1970-01-01 00:00. */
  firstAtOrAfter(wall: number): number {
    const day = Math.floor(wall / MINUTES_A_DAY);
    if (this.#runsOnDay(day)) {
      const minute = wall - day * MINUTES_A_DAY;
      const found = this.#inDay(Math.floor(minute / 60), minute % 60);
      if (found >= 0) return day * MINUTES_A_DAY + found;
    }
    return this.#nextDay(day + 1) * MINUTES_A_DAY + this.hours[0]! * 60 + this.minutes[0]!;
  }

  lists(wall: number): boolean {
    return this.firstAtOrAfter(wall) === wall;
  }

  #inDay(hour: number, minute: number): number {
    const thisHour = firstNotBefore(this.hours, hour);
    if (thisHour < 0) return -1;
    if (thisHour > hour) return thisHour * 60 + this.minutes[0]!;
    const inHour = firstNotBefore(this.minutes, minute);
    if (inHour >= 0) return hour * 60 + inHour;
    const later = firstNotBefore(this.hours, hour + 1);
    return later < 0 ? -1 : later * 60 + this.minutes[0]!;
  }

  #runsOnDay(days: number): boolean {
    const { month, day } = civilDate(days);
    return this.months.includes(month) && this.#dayMatches(day, weekdayOf(days));
  }

  #dayMatches(day: number, weekday: number): boolean {
    return this.eitherDay
      ? this.days.includes(day) || this.weekdays.includes(weekday)
      : this.days.includes(day) && this.weekdays.includes(weekday);
  }

  #nextDay(from: number): number {
    let { year, month, day } = civilDate(from);
    for (let steps = 0; steps <= LONGEST_WALK_MONTHS; steps++) {
      if (this.months.includes(month)) {
        const last = daysInMonth(year, month);
        const first = dayNumber(year, month, day);
        for (let date = day; date <= last; date++) {
          if (this.#dayMatches(date, weekdayOf(first + date - day))) return first + date - day;
        }
      }
      day = 1;
      month = month === 12 ? 1 : month + 1;
      if (month === 1) year++;
    }
    throw new Error(`"${this.text}" was accepted but has no date.`);
  }
}

/** Reads an expression, or refuses it with an InvalidCronError that says which field, which token and what is allowed. */
export function parseCron(text: string): CronExpression {
  const parts = text.trim().split(/\s+/);
  const folded = parts.join(' ');
  if (folded.length > LONGEST_TEXT) {
    throw new InvalidCronError(`The expression has ${folded.length} characters; at most ${LONGEST_TEXT} are allowed.`);
  }
  refuseForeignForms(folded, parts[0] ?? '');
  const [minute, hour, day, month, weekday] = parts;
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday) throw wrongCount(folded, parts.length);
  const cron = new CronExpression(folded, [minute, hour, day, month, weekday]);
  refuseImpossibleDates(cron, day, weekday);
  return cron;
}

function refuseForeignForms(folded: string, first: string): void {
  if (first.startsWith('@')) {
    const five = NICKNAMES[first.toLowerCase()];
    const hint = five === undefined ? 'write the five fields' : `write ${five}`;
    throw new InvalidCronError(`The nickname "${first}" is not supported: ${hint}.`);
  }
  if (/^(CRON_)?TZ=/i.test(first)) {
    throw new InvalidCronError(`"${first}" does not belong into "${folded}": the time zone has a field of its own.`);
  }
}

function wrongCount(folded: string, count: number): InvalidCronError {
  const fields = 'exactly five fields are needed (minute, hour, day of month, month, weekday)';
  if (folded === '') return new InvalidCronError(`The expression is empty: ${fields}.`);
  const hint = count === 6 ? '; a field for seconds or years is not supported, and lists have no blanks' : '';
  return new InvalidCronError(`"${folded}" has ${count} field${count === 1 ? '' : 's'}: ${fields}${hint}.`);
}

/** With a weekday given as well, the weekdays still run, so only a lone day of month can be impossible. */
function refuseImpossibleDates(cron: CronExpression, day: string, weekday: string): void {
  if (weekday !== '*') return;
  const earliest = cron.days[0]!;
  if (cron.months.some((month) => earliest <= daysInMonth(2000, month))) return;
  const months = cron.months.length === 1 ? 'that month' : 'those months';
  throw new InvalidCronError(
    `The day of month field "${day}" names a date that ${months} never had: "${cron.text}" would never run.`,
  );
}

function firstNotBefore(sorted: readonly number[], value: number): number {
  for (const one of sorted) if (one >= value) return one;
  return -1;
}
