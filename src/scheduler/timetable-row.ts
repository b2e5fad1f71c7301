// Scheduler. What a row of the timetable is. The rows themselves are in timetable.ts, who keeps them in ticker.ts.

/**
 * `everyMs`: at the start, then at this rhythm. `cron`: at these instants of UTC. `whenDue`: at the start, then at the
 * instant that the tick before named, never before it and at the latest `atMostMs` later.
 */
export type Rhythm =
  { readonly everyMs: number } | { readonly cron: string } | { readonly whenDue: true; readonly atMostMs: number };

export interface TimetableRow {
  readonly name: string;
  /** The name in the log, by which an operator greps. */
  readonly logger: string;
  readonly rhythm: Rhythm;
  /** Of all processes on one database only one ticks at a time; needs a ClusterTurn. */
  readonly oncePerCluster?: boolean;
  /** Ticks on while the others are drained: whoever stops slowly must not look dead. */
  readonly untilTheEnd?: boolean;
  /** Answers the next instant it knows of; only whenDue rows are asked. */
  tick(now: Date): Promise<Date | null | void>;
}

/** Whose turn a row is when several processes keep the same timetable. */
export interface ClusterTurn {
  take(row: string, now: Date): Promise<boolean>;
}

export function rhythmInWords(rhythm: Rhythm): string {
  if ('cron' in rhythm) return `at ${rhythm.cron} (cron, UTC)`;
  if ('everyMs' in rhythm) return `every ${duration(rhythm.everyMs)}`;
  return `when due, at the latest every ${duration(rhythm.atMostMs)}`;
}

function duration(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const unit = units.find(([, size]) => ms >= size && ms % size === 0);
  return unit === undefined ? `${ms} ms` : `${ms / unit[1]} ${unit[0]}`;
}
