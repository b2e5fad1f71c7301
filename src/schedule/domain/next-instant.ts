// Domain. When a cron schedule runs next. The walk goes along the wall clock (cron-expression.ts); this file alone says
// what happens when that clock is changed:
//   a schedule that does not cover all 24 hours runs exactly once for each listed wall-clock time: a skipped time runs
//   later by the length of the jump, of a repeated time the first showing counts;
//   a schedule that covers all 24 hours follows the clock: nothing is moved, both showings run.
// Answers depend on expression, zone, instant and time-zone database only, never on an earlier answer. So a poller that
// asks in the middle of the repeated hour gets the same timetable as one that asked the day before.
import { HOUR, MINUTE } from './calendar';
import { CronExpression } from './cron-expression';
import { FURTHEST_OFFSET, TimeZone } from './time-zone';
import type { Stretch } from './time-zone';

/** Longer than any clock change (a day left out or repeated at the date line) reaches. */
const REACH_OF_A_CHANGE = 26 * HOUR;

/** The first run strictly after `after`. */
export function nextInstant(cron: CronExpression, zone: TimeZone, after: Date): Date {
  const found = new Date(firstFrom(cron, zone, after.getTime() + 1));
  if (Number.isNaN(found.getTime())) throw new RangeError(`"${cron.text}" has no run that a date can hold.`);
  return found;
}

/** The first `count` runs strictly after `after`, in order. */
export function nextInstants(cron: CronExpression, zone: TimeZone, after: Date, count: number): Date[] {
  const runs: Date[] = [];
  for (let at = after; runs.length < count; runs.push(at)) at = nextInstant(cron, zone, at);
  return runs;
}

/** How many runs lie after `after` and not after `until`; counting ends at `cap`. */
export function occurrencesBetween(
  cron: CronExpression,
  zone: TimeZone,
  after: Date,
  until: Date,
  cap: number,
): number {
  const last = until.getTime();
  let count = 0;
  let at = firstFrom(cron, zone, after.getTime() + 1);
  while (count < cap && at <= last) {
    count++;
    at = firstFrom(cron, zone, at + 1);
  }
  return count;
}

function firstFrom(cron: CronExpression, zone: TimeZone, from: number): number {
  if (!Number.isFinite(from)) throw new RangeError('The instant to search from is not a date.');
  for (let lower = from; ;) {
    const stretch = zone.stretchAt(lower);
    const regular = regularFrom(cron, stretch, lower);
    const moved = movedFrom(cron, stretch, lower);
    const first = Math.min(regular, moved);
    if (first < stretch.end) return first;
    // Nothing is listed until `regular`: a sparse schedule need not look up the zone for all the time in between.
    // Near a change one must not leap, since walls of before may be shown again after it.
    const mayLeap = moved === Infinity && stretch.end - lower > REACH_OF_A_CHANGE;
    const leap = mayLeap ? regular + stretch.offset - FURTHEST_OFFSET : stretch.end;
    lower = Math.max(stretch.end, leap);
  }
}

/** The first run, from `lower` on, at its listed wall-clock time; beyond the stretch's end when there is none in it. */
function regularFrom(cron: CronExpression, stretch: Stretch, lower: number): number {
  const { start, offset, before } = stretch;
  const wall = lower + offset;
  const fresh = cron.everyHour || before <= offset ? wall : Math.max(wall, start + before);
  return cron.firstAtOrAfter(Math.ceil(fresh / MINUTE)) * MINUTE - offset;
}

/** The first run, from `lower` on, whose listed time was skipped when this stretch began. */
function movedFrom(cron: CronExpression, stretch: Stretch, lower: number): number {
  const { start, offset, before } = stretch;
  if (cron.everyHour || before >= offset) return Infinity;
  const skippedFrom = Math.max(start, lower) + before;
  const skippedUntil = start + offset;
  if (skippedFrom >= skippedUntil) return Infinity;
  const listed = cron.firstAtOrAfter(Math.ceil(skippedFrom / MINUTE)) * MINUTE;
  return listed < skippedUntil ? listed - before : Infinity;
}
