// Domain. What a schedule would do, told before it is stored: its next runs on the wall clock, and what may surprise.
// Not here: the expression in words, which needs a library of texts and belongs to the doors.
import { CronExpression } from './cron-expression';
import { DAY, MINUTE } from './calendar';
import { readMoment, wallText } from './moment';
import { nextInstant, nextInstants } from './next-instant';
import { InvalidScheduleSpecError } from './schedule-errors';
import type { ScheduleSpec } from './schedule-spec';
import { TimeZone, timeZone } from './time-zone';
import type { ClockChange, Stretch } from './time-zone';

export const MOST_PREVIEWED_RUNS = 50;

export interface PreviewedRun {
  readonly at: Date;
  /** The wall clock at that instant, with its offset. */
  readonly local: string;
  /** `moved`: its listed time is skipped that day. `repeated`: its time comes twice, and only this one counts. */
  readonly clockChange?: ClockChange;
}

export interface PreviewWarning {
  readonly code: 'either-day' | 'moved' | 'repeated' | 'rare' | 'past';
  readonly message: string;
}

export interface SchedulePreview {
  readonly runs: readonly PreviewedRun[];
  readonly warnings: readonly PreviewWarning[];
}

/** `count` runs strictly after `after`, 1 to 50; fewer when the schedule has no more. */
export function previewSchedule(spec: ScheduleSpec, after: Date, count: number): SchedulePreview {
  if (!Number.isInteger(count) || count < 1 || count > MOST_PREVIEWED_RUNS) {
    throw new InvalidScheduleSpecError('count', `count must be a whole number from 1 to ${MOST_PREVIEWED_RUNS}.`);
  }
  if (spec.type === 'cron') {
    const { cron, zone } = spec;
    const runs = nextInstants(cron, zone, after, count).map((at) => previewed(at, zone, clockChangeOf(cron, zone, at)));
    return {
      runs,
      warnings: [...dayWarnings(cron), ...rareWarnings(cron, zone, after), ...clockWarnings(cron, zone, after)],
    };
  }
  if (spec.runAt > after) return { runs: [previewed(spec.runAt, spec.zone, undefined)], warnings: [] };
  const message = `${wallText(spec.runAt, spec.zone)} has passed, so this never runs.`;
  return { runs: [], warnings: [{ code: 'past', message }] };
}

/** What became of a moment as it was written; a parsed schedule only keeps the instant. */
export function momentClockChange(text: string, zone: TimeZone): ClockChange | undefined {
  return readMoment(text, zone).clockChange;
}

function previewed(at: Date, zone: TimeZone, clockChange: ClockChange | undefined): PreviewedRun {
  const run = { at, local: wallText(at, zone) };
  return clockChange === undefined ? run : { ...run, clockChange };
}

function clockChangeOf(cron: CronExpression, zone: TimeZone, at: Date): ClockChange | undefined {
  if (cron.everyHour) return undefined;
  const instant = at.getTime();
  const { start, offset, before } = zone.stretchAt(instant);
  const listed = instant + before;
  const wasSkipped = before < offset && listed >= start + before && listed < start + offset;
  // A time may be reached both by a moved run and by a regular one: then it is simply on time.
  if (wasSkipped && !cron.lists((instant + offset) / MINUTE) && cron.lists(listed / MINUTE)) return 'moved';
  return zone.isShownAgain(instant) ? 'repeated' : undefined;
}

function dayWarnings(cron: CronExpression): PreviewWarning[] {
  if (!cron.eitherDay) return [];
  const message = 'Day of month and weekday are both given: it runs on days that match either of them, not only both.';
  return [{ code: 'either-day', message }];
}

function rareWarnings(cron: CronExpression, zone: TimeZone, after: Date): PreviewWarning[] {
  const first = nextInstant(cron, zone, after);
  const second = nextInstant(cron, zone, first);
  const longest = Math.max(first.getTime() - after.getTime(), second.getTime() - first.getTime());
  if (longest <= 366 * DAY) return [];
  const message = `It runs less than once a year: first at ${wallText(first, zone)}, then at ${wallText(second, zone)}.`;
  return [{ code: 'rare', message }];
}

/** The clock changes of the year to come that touch the schedule, told once for each sort. */
function clockWarnings(cron: CronExpression, zone: TimeZone, after: Date): PreviewWarning[] {
  if (cron.everyHour) return [];
  const warnings: PreviewWarning[] = [];
  const start = after.getTime() + 1;
  for (let at = start; at < start + 366 * DAY;) {
    const stretch = zone.stretchAt(at);
    const warning = stretch.start >= start ? changeWarning(cron, zone, stretch) : undefined;
    if (warning !== undefined && !warnings.some((told) => told.code === warning.code)) warnings.push(warning);
    at = stretch.end;
  }
  return warnings;
}

function changeWarning(cron: CronExpression, zone: TimeZone, change: Stretch): PreviewWarning | undefined {
  const { start, offset, before } = change;
  if (before === offset) return undefined;
  const from = start + Math.min(before, offset);
  const until = start + Math.max(before, offset);
  const listed = cron.firstAtOrAfter(Math.ceil(from / MINUTE)) * MINUTE;
  if (listed >= until) return undefined;
  const [date, time] = wallText(new Date(listed), timeZone('UTC')).slice(0, 16).split('T');
  const run = wallText(new Date(listed - before), zone);
  return offset > before
    ? { code: 'moved', message: `The clock skips ${time} on ${date}: the run comes later that once, at ${run}.` }
    : { code: 'repeated', message: `The clock shows ${time} twice on ${date}: only the first counts, ${run}.` };
}
