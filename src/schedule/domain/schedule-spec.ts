// Domain. What a schedule is: a cron expression in a zone, or one moment. Not here: the grammar of either
// (cron-expression.ts, moment.ts), clock changes (next-instant.ts), what a task does with its schedule (task.ts).
import { CronExpression, parseCron } from './cron-expression';
import { confirmReading } from './cron-second-opinion';
import { parseMoment, wallText } from './moment';
import { nextInstant } from './next-instant';
import { InvalidCronError, InvalidMomentError, InvalidScheduleSpecError, OnceTooSoonError } from './schedule-errors';
import { TimeZone, timeZone } from './time-zone';

export const SCHEDULE_TYPES = ['cron', 'once'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];

export type ScheduleSpec = CronSpec | OnceSpec;

export interface CronSpec {
  readonly type: 'cron';
  readonly cron: CronExpression;
  readonly zone: TimeZone;
}

export interface OnceSpec {
  readonly type: 'once';
  readonly runAt: Date;
  readonly zone: TimeZone;
}

/** The spelling of `schedule_spec`, on the wire and in the store. */
export type WireSpec = { readonly cron: string } | { readonly run_at: string };

const KEYS = ['cron', 'run_at', 'delay_seconds'] as const;
type Key = (typeof KEYS)[number];
const LONGEST_DELAY_SECONDS = 100 * 366 * 86_400;

/**
 * A schedule as somebody submits it. The zone is checked first, then the type, then the parts that the type uses; parts
 * of the other type are ignored, unknown ones are refused. `now` is what `delay_seconds` counts from.
 */
export function parseScheduleSpec(type: unknown, spec: unknown, timezone: unknown, now: Date): ScheduleSpec {
  const zone = zoneFrom(timezone);
  const parts = partsOf(typeFrom(type), spec);
  if (type === 'cron') {
    const cron = cronFrom(parts);
    confirmReading(cron);
    return { type: 'cron', cron, zone };
  }
  return { type: 'once', runAt: runAtFrom(parts, zone, now), zone };
}

/** A schedule from what `toWire` wrote. Throws the same errors: the row is then corrupt. */
export function restoreScheduleSpec(type: unknown, spec: unknown, timezone: unknown): ScheduleSpec {
  const zone = zoneFrom(timezone);
  const parts = partsOf(typeFrom(type), spec);
  if (type === 'cron') return { type: 'cron', cron: cronFrom(parts), zone };
  return { type: 'once', runAt: momentFrom(parts, zone), zone };
}

/** `run_at` is written with its offset in the zone, so it keeps its instant whatever happens to the zone's rules. */
export function toWire(spec: ScheduleSpec): WireSpec {
  return spec.type === 'cron' ? { cron: spec.cron.text } : { run_at: wallText(spec.runAt, spec.zone) };
}

/** The same rule in another zone; a single moment stays the same instant. */
export function inZone(spec: ScheduleSpec, timezone: unknown): ScheduleSpec {
  return { ...spec, zone: zoneFrom(timezone) };
}

/** Equal when nobody could tell the difference from outside: the zone's name counts, blanks in a cron do not. */
export function sameSchedule(a: ScheduleSpec, b: ScheduleSpec): boolean {
  if (a.zone.name !== b.zone.name) return false;
  if (a.type === 'cron') return b.type === 'cron' && a.cron.text === b.cron.text;
  return b.type === 'once' && a.runAt.getTime() === b.runAt.getTime();
}

/** When a schedule submitted at `now` runs first. A moment nearer than the delay is refused, with the earliest in words. */
export function firstRun(spec: ScheduleSpec, now: Date, minOnceDelaySeconds: number): Date {
  if (spec.type === 'cron') return nextInstant(spec.cron, spec.zone, now);
  const earliest = new Date(now.getTime() + minOnceDelaySeconds * 1000);
  if (spec.runAt > now && spec.runAt >= earliest) return spec.runAt;
  const asked = wallText(spec.runAt, spec.zone);
  const rule =
    minOnceDelaySeconds > 0
      ? `the earliest moment accepted now is ${wallText(earliest, spec.zone)} (${minOnceDelaySeconds} s from now)`
      : `it must be later than now, ${wallText(now, spec.zone)}`;
  throw new OnceTooSoonError(`${asked} is ${spec.runAt <= now ? 'not in the future' : 'too soon'}: ${rule}.`);
}

/** The first run strictly after `after`; null when there is none, as for a moment that has come. */
export function nextRun(spec: ScheduleSpec, after: Date): Date | null {
  if (spec.type === 'cron') return nextInstant(spec.cron, spec.zone, after);
  return spec.runAt > after ? spec.runAt : null;
}

function zoneFrom(timezone: unknown): TimeZone {
  return timeZone(typeof timezone === 'string' ? timezone : '');
}

function typeFrom(type: unknown): ScheduleType {
  const known = SCHEDULE_TYPES.find((one) => one === type);
  if (known !== undefined) return known;
  const given = typeof type === 'string' ? `"${type.slice(0, 32)}"` : 'This';
  throw new InvalidScheduleSpecError('schedule_type', `${given} is not a schedule type: write cron or once.`);
}

/** Only what the type uses is looked at any further. A null counts as absent. */
function partsOf(type: ScheduleType, spec: unknown): Partial<Record<Key, unknown>> {
  const example = type === 'cron' ? '{"cron": "0 9 * * *"}' : '{"run_at": "2026-08-01T09:00"}';
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    throw new InvalidScheduleSpecError('schedule_spec', `The schedule_spec must be an object such as ${example}.`);
  }
  const unknown = Object.keys(spec).find((key) => !KEYS.some((known) => known === key));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, 32);
    const allowed = 'allowed are cron, or run_at or delay_seconds for once';
    throw new InvalidScheduleSpecError(`schedule_spec.${shown}`, `schedule_spec has no key "${shown}": ${allowed}.`);
  }
  return spec;
}

function cronFrom(parts: Partial<Record<Key, unknown>>): CronExpression {
  if (typeof parts.cron === 'string') return parseCron(parts.cron);
  throw new InvalidCronError('A cron schedule needs schedule_spec.cron, a text of five fields such as "0 9 * * *".');
}

function runAtFrom(parts: Partial<Record<Key, unknown>>, zone: TimeZone, now: Date): Date {
  const delay = parts.delay_seconds ?? undefined;
  if (delay === undefined) return momentFrom(parts, zone);
  const field = 'schedule_spec.delay_seconds';
  if ((parts.run_at ?? undefined) !== undefined) {
    throw new InvalidScheduleSpecError(field, 'Give either run_at or delay_seconds, not both.');
  }
  if (!Number.isInteger(delay) || (delay as number) < 1 || (delay as number) > LONGEST_DELAY_SECONDS) {
    throw new InvalidScheduleSpecError(field, 'delay_seconds must be a whole number of seconds, at least 1.');
  }
  return new Date(now.getTime() + (delay as number) * 1000);
}

function momentFrom(parts: Partial<Record<Key, unknown>>, zone: TimeZone): Date {
  if (typeof parts.run_at === 'string') return parseMoment(parts.run_at, zone);
  throw new InvalidMomentError(
    'A once schedule needs schedule_spec.run_at, a text such as "2026-08-01T09:00", or delay_seconds.',
  );
}
