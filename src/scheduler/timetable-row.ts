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
  /**
   * Of all processes on one database only one ticks at a time, and an `everyMs` row as often as if there were one process.
   * A process that goes silent in the middle may still be at it when another one begins: the work must bear that.
   */
  readonly oncePerCluster?: boolean;
  /** Of a cron row that runs once per cluster: an instant that nobody was there for is made up for at the next start. */
  readonly makeUpMissed?: boolean;
  /** Ticks at once when another process is found dead. */
  readonly uponDeath?: boolean;
  /** Ticks on while the others are drained: whoever stops slowly must not look dead. */
  readonly untilTheEnd?: boolean;
  /** Answers the next instant it knows of; only whenDue rows are asked. */
  tick(now: Date): Promise<Date | null | void>;
}

export interface TurnRequest {
  readonly row: string;
  /** Not sooner than this after the last turn; null: whenever nobody is at it. */
  readonly gapMs: number | null;
  /** The instant that the turn is for: each is taken once. Null for rows without. */
  readonly instant: Date | null;
}

/** Whose turn a row is when several processes keep the same timetable. */
export interface ClusterTurn {
  /** Null: it is this process's turn, until `done`. Otherwise when to ask again. */
  take(request: TurnRequest, now: Date): Promise<Date | null>;
  /** Never rejects: a turn that is not given back is free again when its holder is. */
  done(row: string, succeeded: boolean): Promise<void>;
  /** The last instant that anybody took; null at the very first time, which is remembered as `now`. */
  lastInstant(row: string, now: Date): Promise<Date | null>;
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
