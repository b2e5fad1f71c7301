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

const KEYS_OF = { cron: ['cron'], once: ['run_at', 'delay_seconds'] } as const;
const KEYS = [...KEYS_OF.cron, ...KEYS_OF.once];
type Key = (typeof KEYS)[number];
type Parts = Partial<Record<Key, unknown>>;
const LONGEST_DELAY_SECONDS = 100 * 366 * 86_400;

/**
 * A schedule as somebody submits it. The zone is checked first, then the type, then the parts: those of the other type
 * are refused like unknown ones, since whoever sends them does not get what they meant. `now` is what `delay_seconds`
 * counts from.
 */
export function parseScheduleSpec(type: unknown, spec: unknown, timezone: unknown, now: Date): ScheduleSpec {
  const zone = zoneFrom(timezone);
  const known = typeFrom(type);
  const parts = partsOf(known, spec);
  refuseParts(known === 'cron' ? 'once' : 'cron', parts);
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

/** What a moment was named by: a refusal names the part that was sent. */
export function momentPart(spec: unknown): 'run_at' | 'delay_seconds' {
  const delay = typeof spec === 'object' && spec !== null && ((spec as Parts).delay_seconds ?? undefined) !== undefined;
  return delay ? 'delay_seconds' : 'run_at';
}

/** When a schedule submitted at `now` runs first. A moment nearer than the delay is refused, with the earliest in words. */
export function firstRun(
  spec: ScheduleSpec,
  now: Date,
  minOnceDelaySeconds: number,
  part: 'run_at' | 'delay_seconds' = 'run_at',
): Date {
  if (spec.type === 'cron') return nextInstant(spec.cron, spec.zone, now);
  const earliest = new Date(now.getTime() + minOnceDelaySeconds * 1000);
  if (spec.runAt > now && spec.runAt >= earliest) return spec.runAt;
  if (part === 'delay_seconds') {
    const asked = (spec.runAt.getTime() - now.getTime()) / 1000;
    throw new OnceTooSoonError(
      part,
      `delay_seconds ${asked} is too soon: at least ${minOnceDelaySeconds} is accepted.`,
    );
  }
  const asked = wallText(spec.runAt, spec.zone);
  const rule =
    minOnceDelaySeconds > 0
      ? `the earliest moment accepted now is ${wallText(earliest, spec.zone)} (${minOnceDelaySeconds} s from now)`
      : `it must be later than now, ${wallText(now, spec.zone)}`;
  throw new OnceTooSoonError(part, `${asked} is ${spec.runAt <= now ? 'not in the future' : 'too soon'}: ${rule}.`);
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

/** A null counts as absent. */
function partsOf(type: ScheduleType, spec: unknown): Parts {
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

function refuseParts(type: ScheduleType, parts: Parts): void {
  const stray = KEYS_OF[type].find((key) => (parts[key] ?? undefined) !== undefined);
  if (stray === undefined) return;
  const wanted = type === 'cron' ? 'once: give run_at or delay_seconds' : 'cron: give cron';
  throw new InvalidScheduleSpecError(
    `schedule_spec.${stray}`,
    `schedule_spec.${stray} is for a schedule of type ${type}, but the type is ${wanted} instead.`,
  );
}

function cronFrom(parts: Parts): CronExpression {
  if (typeof parts.cron === 'string') return parseCron(parts.cron);
  throw new InvalidCronError('A cron schedule needs schedule_spec.cron, a text of five fields such as "0 9 * * *".');
}

function runAtFrom(parts: Parts, zone: TimeZone, now: Date): Date {
  const delay = parts.delay_seconds ?? undefined;
  if (delay === undefined) return momentFrom(parts, zone);
  const field = 'schedule_spec.delay_seconds';
  if ((parts.run_at ?? undefined) !== undefined) {
    throw new InvalidScheduleSpecError(field, 'Give either run_at or delay_seconds, not both.');
  }
  if (!Number.isInteger(delay) || (delay as number) < 1 || (delay as number) > LONGEST_DELAY_SECONDS) {
    throw new InvalidScheduleSpecError(
      field,
      `delay_seconds must be a whole number of seconds from 1 to ${LONGEST_DELAY_SECONDS}.`,
    );
  }
  return new Date(now.getTime() + (delay as number) * 1000);
}

function momentFrom(parts: Parts, zone: TimeZone): Date {
  if (typeof parts.run_at === 'string') return parseMoment(parts.run_at, zone);
  throw new InvalidMomentError(
    'A once schedule needs schedule_spec.run_at, a text such as "2026-08-01T09:00", or delay_seconds.',
  );
}
