// Domain. The grammar of one field of a cron expression: text in, sorted values out. Stricter than any library on
// purpose, so that nothing is half-read: what is not in the grammar is refused with the field, the token and the way
// to write it. How the five fields make an expression is in cron-expression.ts.
import { InvalidCronError } from './schedule-errors';

export interface CronFieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Three-letter names, the first one standing for `min`. */
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const SUNDAY_AGAIN = 7;

export const MINUTE_FIELD: CronFieldRule = { name: 'minute', min: 0, max: 59 };
export const HOUR_FIELD: CronFieldRule = { name: 'hour', min: 0, max: 23 };
export const DAY_FIELD: CronFieldRule = { name: 'day of month', min: 1, max: 31 };
export const MONTH_FIELD: CronFieldRule = { name: 'month', min: 1, max: 12, names: MONTHS };
/** 7 is a second spelling of Sunday; it is read here and never leaves this file. */
export const WEEKDAY_FIELD: CronFieldRule = { name: 'weekday', min: 0, max: 6, names: WEEKDAYS };

/** The values that a field lists, sorted and without repeats. */
export function readField(rule: CronFieldRule, text: string): readonly number[] {
  const listed = new Array<boolean>(rule.max + 1).fill(false);
  for (const term of text.split(',')) {
    if (term === '') throw refusal(rule, text, 'a list entry is empty');
    const { from, to, step } = readTerm(rule, term);
    for (let value = from; value <= to; value += step) listed[value > rule.max ? rule.min : value] = true;
  }
  const values: number[] = [];
  for (let value = rule.min; value <= rule.max; value++) if (listed[value]) values.push(value);
  return values;
}

function readTerm(rule: CronFieldRule, term: string): { from: number; to: number; step: number } {
  const [body = '', stepText, ...more] = term.split('/');
  if (more.length > 0) throw refusal(rule, term, 'only one step (/) is allowed');
  const step = stepText === undefined ? 1 : readStep(rule, term, stepText);
  if (body === '*') return { from: rule.min, to: rule.max, step };

  const [startText = '', endText, ...rest] = body.split('-');
  if (rest.length > 0) throw refusal(rule, term, reasonFor(rule, body));
  const start = readValue(rule, term, startText);
  if (endText === undefined) {
    if (stepText === undefined) return { from: start, to: start, step };
    if (start > rule.max) throw refusal(rule, term, `a step cannot start at ${start}, write 0/${step} for Sunday`);
    return { from: start, to: rule.max, step };
  }
  const end = readValue(rule, term, endText);
  // FRI-SUN and 5-0 are how people write a weekend; Sunday is then the seventh day.
  const last = rule === WEEKDAY_FIELD && end === 0 && start > 0 ? SUNDAY_AGAIN : end;
  if (last < start) throw refusal(rule, term, `the range runs backwards, write ${forwards(rule, start, end)}`);
  return { from: start, to: last, step };
}

/** A step of the whole field (every 60 minutes) still says what it does; a longer one promises what cannot be. */
function readStep(rule: CronFieldRule, term: string, text: string): number {
  const size = rule.max - rule.min + 1;
  if (!/^\d{1,9}$/.test(text)) throw refusal(rule, term, `the step must be a whole number from 1 to ${size}`);
  const step = Number(text);
  if (step < 1) throw refusal(rule, term, 'the step must be at least 1');
  if (step > size) {
    throw refusal(rule, term, `the step must be at most ${size}: it starts again with every round of the field`);
  }
  return step;
}

function readValue(rule: CronFieldRule, term: string, token: string): number {
  if (/^\d{1,2}$/.test(token)) {
    const value = Number(token);
    const max = rule === WEEKDAY_FIELD ? SUNDAY_AGAIN : rule.max;
    if (value < rule.min || value > max) throw refusal(rule, term, `${token} is not in ${allowed(rule)}`);
    return value;
  }
  const named = rule.names?.indexOf(token.toUpperCase()) ?? -1;
  if (named < 0) throw refusal(rule, term, reasonFor(rule, token));
  return named + rule.min;
}

function forwards(rule: CronFieldRule, start: number, end: number): string {
  if (start > rule.max) return `0-${end}`;
  const head = start === rule.max ? `${start}` : `${start}-${rule.max}`;
  return `${head},${end === rule.min ? `${end}` : `${rule.min}-${end}`}`;
}

function allowed(rule: CronFieldRule): string {
  const numbers = rule === WEEKDAY_FIELD ? '0-7 (0 and 7 are Sunday)' : `${rule.min}-${rule.max}`;
  return rule.names === undefined ? numbers : `${numbers} or ${rule.names[0]}-${rule.names.at(-1)}`;
}

/** Says what is known about a token that people bring along from other schedulers. */
function reasonFor(rule: CronFieldRule, token: string): string {
  const forms = `allowed are *, ${allowed(rule)}, ranges a-b, steps */n and lists a,b`;
  const upper = token.toUpperCase();
  if (token === '') return `a value is missing; ${forms}`;
  if (token.includes('?')) return '? is not supported, write *';
  if (token.includes('#')) return '# (the nth weekday of a month) is not supported';
  if (token.includes('~')) return '~ (a random value) is not supported, write the number';
  if (/^[+-]/.test(token)) return `signs are not supported; ${forms}`;
  if (/^H(\(.*\))?$/.test(upper)) return 'H (a hashed value) is not supported, write the number';
  const long = rule.names?.find((name) => upper.length > 3 && /^[A-Z]+$/.test(upper) && upper.startsWith(name));
  if (long !== undefined && upper !== `${long}L`) return `names have three letters, write ${long}`;
  if (/^(L|LW|.*[0-9]L|[A-Z]{3}L)$/.test(upper)) return 'L (the last day or weekday) is not supported';
  if (/^\d*W$/.test(upper)) return 'W (the nearest working day) is not supported';
  if (MONTHS.includes(upper) || WEEKDAYS.includes(upper)) return `${upper} is no ${rule.name}; ${forms}`;
  return `"${token}" is not understood; ${forms}`;
}

function refusal(rule: CronFieldRule, term: string, reason: string): InvalidCronError {
  return new InvalidCronError(`The ${rule.name} field does not accept "${term}": ${reason}.`);
}
