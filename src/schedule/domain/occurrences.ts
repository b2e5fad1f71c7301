// Domain rule: asking a schedule for its instants, one by one or by number. The one way in for claims and edits, so that
// a batch of claims can remember the answers.
import { nextRun } from './schedule-spec';
import type { ScheduleSpec } from './schedule-spec';
import { occurrencesBetween } from './next-instant';

export interface Occurrences {
  /** The first one strictly after `after`; `null` when there is none. */
  next(spec: ScheduleSpec, after: Date): Date | null;
  /** How many lie after `after` and not after `until`, up to `MISSED_CAP`. */
  between(spec: ScheduleSpec, after: Date, until: Date): number;
}

/** One count stops here: a cron of every minute left alone for a year must not keep a transaction waiting. */
export const MISSED_CAP = 1_000;

export const OCCURRENCES: Occurrences = {
  next: nextRun,
  between: (spec, after, until) => {
    if (spec.type === 'cron') return occurrencesBetween(spec.cron, spec.zone, after, until, MISSED_CAP);
    return spec.runAt > after && spec.runAt <= until ? 1 : 0;
  },
};

/** How many occurrences are due, the first of them being planned for `nextRunAt`. */
export function countDue(spec: ScheduleSpec, nextRunAt: Date | null, now: Date): number {
  if (nextRunAt === null || nextRunAt > now) return 0;
  return Math.min(1 + OCCURRENCES.between(spec, nextRunAt, now), MISSED_CAP);
}

/**
 * The same with a memory, for one batch of claims: many tasks share expression, zone and minute, and after an outage
 * they share the whole backlog. Make one per batch and let it go: a new time-zone database must not meet old answers.
 */
export function rememberedOccurrences(ask: Occurrences = OCCURRENCES): Occurrences {
  const instants = new Map<string, Date | null>();
  const counts = new Map<string, number>();
  return {
    next: (spec, after) =>
      spec.type === 'once'
        ? ask.next(spec, after)
        : remembered(instants, key(spec, after), () => ask.next(spec, after)),
    between: (spec, after, until) =>
      spec.type === 'once'
        ? ask.between(spec, after, until)
        : remembered(counts, `${minute(until)} ${key(spec, after)}`, () => ask.between(spec, after, until)),
  };
}

/** Cron instants lie on whole minutes, so all of one minute have the same ones before and after them. */
function key(spec: ScheduleSpec & { type: 'cron' }, after: Date): string {
  return `${minute(after)} ${spec.zone.name} ${spec.cron.text}`;
}

function minute(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}

function remembered<V>(known: Map<string, V>, key: string, ask: () => V): V {
  const answer = known.get(key);
  if (answer !== undefined) return answer;
  const fresh = ask();
  known.set(key, fresh);
  return fresh;
}
