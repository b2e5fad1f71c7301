// Scheduler. Keeps a row that runs once per cluster: asks whose turn it is, gives the turn back, and finds the instants
// of a cron row that nobody was there for.
import type { ClusterTurn, TimetableRow } from './timetable-row';

/** How far back a missed instant is looked for. */
const MADE_UP_WITHIN_MS = 8 * 86_400_000;

export interface TurnResult {
  /** What the tick named as the next instant. */
  readonly named: Date | null;
  /** Another process has the turn: when to ask again. */
  readonly askAgainAt: Date | null;
}

export class RowTurn {
  /** The instant that a cron row waits for, or retries. */
  private instant: Date | null = null;
  private missedAreOpen: boolean;

  constructor(
    private readonly row: TimetableRow,
    private readonly turn: ClusterTurn,
    private readonly nextCron: (after: Date) => Date,
  ) {
    this.missedAreOpen = 'cron' in row.rhythm && row.makeUpMissed === true;
  }

  /** Whether the row has to look for missed instants before it waits for the next one. */
  get looksBack(): boolean {
    return this.missedAreOpen;
  }

  waitFor(instant: Date): void {
    this.instant = instant;
  }

  async tick(now: Date, woken: boolean): Promise<TurnResult> {
    const { row, turn } = this;
    if (this.missedAreOpen && !(await this.lookBack(now))) return NOTHING;
    const gapMs = 'everyMs' in row.rhythm && !woken ? row.rhythm.everyMs : null;
    const askAgainAt = await turn.take({ row: row.name, gapMs, instant: this.due(now) }, now);
    if (askAgainAt !== null) return { named: null, askAgainAt };
    let succeeded = false;
    try {
      const named = (await row.tick(now)) ?? null;
      succeeded = true;
      return { named, askAgainAt: null };
    } finally {
      await turn.done(row.name, succeeded);
    }
  }

  /** The newest instant that has come; null when the row was woken before its time, or has no instants. */
  private due(now: Date): Date | null {
    if (this.instant === null || this.instant > now) return null;
    this.instant = this.newest(this.instant, now);
    return this.instant;
  }

  /** Looks, once, for an instant that nobody was there for; the last of several stands for all. */
  private async lookBack(now: Date): Promise<boolean> {
    const last = await this.turn.lastInstant(this.row.name, now);
    this.missedAreOpen = false;
    if (last === null) return false;
    const from = new Date(Math.max(last.getTime(), now.getTime() - MADE_UP_WITHIN_MS));
    const first = this.nextCron(from);
    if (first > now) return false;
    this.instant = this.newest(first, now);
    return true;
  }

  private newest(instant: Date, now: Date): Date {
    for (let newest = instant; ;) {
      const next = this.nextCron(newest);
      if (next > now) return newest;
      newest = next;
    }
  }
}

const NOTHING: TurnResult = { named: null, askAgainAt: null };
