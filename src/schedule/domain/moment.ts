// Domain. A moment as people write it, and as we write it back: ISO 8601, wall clock of the zone when it has no offset.
// Built-in date parsing is not used: it turns 30 February into 2 March, accepts hour 24 and reads prose.
import { DAY, HOUR, MINUTE, dayNumber, daysInMonth, civilDate, weekdayOf } from './calendar';
import { InvalidMomentError } from './schedule-errors';
import type { TimeZone, WallReading } from './time-zone';

const DATE = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)$/;
const TIME = /^(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?|(\d\d)(?:(\d\d)(?:[.,](\d+))?)?)?$/;
const OFFSET = /^([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/;
const LONGEST_TEXT = 64;

/** What a text says: the instant, and what a clock change did to a wall-clock time. */
export function readMoment(text: string, zone: TimeZone): WallReading {
  if (text.length > LONGEST_TEXT) throw refusal(`${text.slice(0, LONGEST_TEXT)}…`, 'it is too long');
  const [, dateText = '', clockText] = /^([^T ]*)(?:[T ](.*))?$/s.exec(text) ?? [];
  const date = readDate(text, dateText);
  if (clockText === undefined) return zone.instantOf(date);
  const cut = clockText.search(/[Z+-]/);
  const wall = date + readTime(text, cut < 0 ? clockText : clockText.slice(0, cut));
  return cut < 0 ? zone.instantOf(wall) : { instant: wall - readOffset(text, clockText.slice(cut)) };
}

/** Throws an InvalidMomentError that quotes the text and says what is wrong with it. */
export function parseMoment(text: string, zone: TimeZone): Date {
  return new Date(readMoment(text, zone).instant);
}

/** The wall clock of the zone with its offset: `2026-08-01T09:00:00+08:00`. A fraction only when there is one. */
export function wallText(instant: Date, zone: TimeZone): string {
  const offset = zone.offsetAt(instant.getTime());
  const wall = instant.getTime() + offset;
  const { year, month, day } = civilDate(Math.floor(wall / DAY));
  const ms = wall - Math.floor(wall / DAY) * DAY;
  const fraction = ms % 1000 === 0 ? '' : `.${pad(ms % 1000, 3)}`;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${clock(ms)}:${pad(Math.floor(ms / 1000) % 60)}${fraction}${offsetText(offset)}`;
}

function readDate(text: string, dateText: string): number {
  const parts = DATE.exec(dateText);
  if (parts === null)
    throw refusal(text, 'write it as 2026-08-01T09:00, with Z or an offset when it is not local time');
  const year = Number(parts[1]);
  if (year < 1) throw refusal(text, 'there is no year 0');
  const week = parts[6] ?? parts[8];
  if (week !== undefined) return readWeekDate(text, year, Number(week), Number(parts[7] ?? parts[9] ?? 1));
  const month = Number(parts[2] ?? parts[4]);
  const day = Number(parts[3] ?? parts[5]);
  if (month < 1 || month > 12) throw refusal(text, `there is no month ${month}`);
  if (day < 1 || day > daysInMonth(year, month)) throw refusal(text, 'there is no such day in that month');
  return dayNumber(year, month, day) * DAY;
}

/** The first ISO week is the one with 4 January; weeks begin on Monday. */
function readWeekDate(text: string, year: number, week: number, day: number): number {
  const firstMonday = (of: number): number => {
    const fourth = dayNumber(of, 1, 4);
    return fourth - ((weekdayOf(fourth) + 6) % 7);
  };
  const monday = firstMonday(year) + (week - 1) * 7;
  if (week < 1 || monday >= firstMonday(year + 1)) throw refusal(text, `${year} has no week ${week}`);
  if (day < 1 || day > 7) throw refusal(text, 'days of a week go from 1 (Monday) to 7');
  return (monday + day - 1) * DAY;
}

function readTime(text: string, timeText: string): number {
  const parts = TIME.exec(timeText);
  if (parts === null) throw refusal(text, 'the time of day is written as 09:00 or 09:00:00');
  const hour = Number(parts[1]);
  const minute = Number(parts[2] ?? parts[5] ?? 0);
  const second = Number(parts[3] ?? parts[6] ?? 0);
  const fraction = `${parts[4] ?? parts[7] ?? ''}000`.slice(0, 3);
  if (hour > 23) throw refusal(text, 'hours go from 0 to 23');
  if (minute > 59) throw refusal(text, 'minutes go from 0 to 59');
  if (second > 59) throw refusal(text, 'seconds go from 0 to 59');
  return hour * HOUR + minute * MINUTE + second * 1000 + Number(fraction);
}

function readOffset(text: string, offset: string): number {
  if (offset === 'Z') return 0;
  const parts = OFFSET.exec(offset);
  const [hours, minutes, seconds] = [Number(parts?.[2]), Number(parts?.[3] ?? 0), Number(parts?.[4] ?? 0)];
  if (parts === null || hours > 23 || minutes > 59 || seconds > 59) {
    throw refusal(text, 'the offset is written as Z, +08 or +08:00');
  }
  const size = hours * HOUR + minutes * MINUTE + seconds * 1000;
  return parts[1] === '-' ? -size : size;
}

function refusal(text: string, reason: string): InvalidMomentError {
  return new InvalidMomentError(`"${text}" is not a moment: ${reason}.`);
}

function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const seconds = Math.floor(size / 1000) % 60;
  return `${offset < 0 ? '-' : '+'}${clock(size)}${seconds === 0 ? '' : `:${pad(seconds)}`}`;
}

function clock(ms: number): string {
  return `${pad(Math.floor(ms / HOUR))}:${pad(Math.floor(ms / MINUTE) % 60)}`;
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
