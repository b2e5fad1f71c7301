// Scheduler. Keeps one row of the timetable: one tick at a time, whatever happens, until it is closed.
// Which timers ring is the business of ticker.ts; this file knows when they should.
import type { Clock } from '../kernel/clock';
import { RowTurn } from './row-turn';
import type { ClusterTurn, TimetableRow } from './timetable-row';

/** The timers of one row. Ringing too late is allowed, too early as well: the keeper looks at the clock itself. */
export interface RowTimers {
  /** Rings once after `ms`, in place of what was set before. */
  ringIn(ms: number, ring: () => void): void;
  silence(): void;
  /** Rings every `ms` until `end`. */
  beat(ms: number, ring: () => void): void;
  /** The first instant of the row's cron expression after `after`. */
  nextCron(after: Date): Date;
  end(): void;
}

/** Hears of every tick: log and metrics. */
export interface TickWatch {
  ticked(row: TimetableRow, durationMs: number): void;
  failed(row: TimetableRow, durationMs: number, error: unknown, failuresInARow: number): void;
  recovered(row: TimetableRow, failures: number): void;
}

export interface KeeperParts {
  readonly clock: Clock;
  readonly timers: RowTimers;
  readonly watch: TickWatch;
  readonly turn?: ClusterTurn;
  /** From 0 to 1: the jitter of retries, so that processes which failed together do not return together. */
  readonly chance: () => number;
}

export interface RowReading {
  readonly row: TimetableRow;
  readonly running: boolean;
  readonly openedAt: Date | null;
  readonly lastStartedAt: Date | null;
  readonly lastSucceededAt: Date | null;
  readonly lastDurationMs: number | null;
  readonly lastError: string | null;
  readonly ticks: number;
  readonly failures: number;
  readonly failuresInARow: number;
  readonly nextAt: Date | null;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Also how long a wake is put off while a row backs off. */
export const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 3_600_000;
/** A tick that names an instant which has passed is repeated at once, but not in a busy loop. */
const PAST_DUE_PAUSE_MS = 10;

export class RowKeeper {
  private state: 'new' | 'open' | 'closed' = 'new';
  private current: Promise<void> | undefined;
  private waking = false;
  private again = false;
  /** What the last tick named as the next instant. */
  private named: Date | null = null;
  /** Another process has the turn: when to ask again. */
  private askAgainAt: Date | null = null;
  private woken = false;
  private readonly turn: RowTurn | undefined;
  private alarmAt: Date | null = null;
  private beatAt: Date | null = null;
  private waiters: Waiter[] = [];
  private readonly seen = {
    openedAt: null as Date | null,
    lastStartedAt: null as Date | null,
    lastSucceededAt: null as Date | null,
    lastDurationMs: null as number | null,
    lastError: null as string | null,
    ticks: 0,
    failures: 0,
    failuresInARow: 0,
  };

  constructor(
    readonly row: TimetableRow,
    private readonly parts: KeeperParts,
  ) {
    const { turn, timers } = parts;
    if (row.oncePerCluster !== true || turn === undefined) return;
    this.turn = new RowTurn(row, turn, (after) => timers.nextCron(after));
  }

  open(): void {
    if (this.state !== 'new') return;
    this.state = 'open';
    const now = this.parts.clock.now();
    this.seen.openedAt = now;
    const { rhythm } = this.row;
    if ('cron' in rhythm && this.turn?.looksBack !== true) return this.armCron(now);
    if ('everyMs' in rhythm) this.startBeat(rhythm.everyMs, now);
    this.startTick();
  }

  /** Ticks soon. Any number of wakes until the tick has begun are one; during a tick they cause exactly one more. */
  wake(): void {
    if (this.state !== 'open') return;
    this.woken = true;
    if (this.current !== undefined) {
      this.again = true;
    } else if (this.seen.failuresInARow > 0) {
      this.retryWithin(FIRST_RETRY_MS);
    } else if (!this.waking) {
      this.waking = true;
      // Not at once: whoever wakes a row and then asks for its tick's end means the tick that this wake causes.
      void Promise.resolve().then(() => {
        this.waking = false;
        this.startTick();
      });
    }
  }

  /** Resolves at the end, good or bad, of the first tick that begins after this call. */
  ticked(): Promise<void> {
    const end = new Promise<void>((resolve, reject) => {
      if (this.state === 'closed') reject(this.closedError());
      else this.waiters.push({ resolve, reject });
    });
    end.catch(() => undefined);
    return end;
  }

  /** No more ticks. Resolves when the running one has ended. */
  async close(): Promise<void> {
    if (this.state !== 'closed') {
      this.state = 'closed';
      this.alarmAt = this.beatAt = null;
      this.parts.timers.end();
      for (const { reject } of this.waiters.splice(0)) reject(this.closedError());
    }
    await this.current;
  }

  reading(): RowReading {
    const nextAt = this.alarmAt ?? this.beatAt;
    return { row: this.row, running: this.current !== undefined, ...this.seen, nextAt };
  }

  private startBeat(everyMs: number, from: Date): void {
    this.beatAt = new Date(from.getTime() + everyMs);
    this.parts.timers.beat(everyMs, () => {
      this.beatAt = new Date(this.parts.clock.now().getTime() + everyMs);
      // A beat during a tick or while backing off is left out: the next one is near enough.
      if (this.alarmAt === null) this.startTick();
    });
  }

  private startTick(): void {
    if (this.state !== 'open' || this.current !== undefined) return;
    this.current = this.round();
  }

  /** Never rejects: nothing that happens in a tick may keep the next one from being planned. */
  private async round(): Promise<void> {
    const waiters = this.waiters.splice(0);
    try {
      await this.tick();
    } catch {
      // The watch itself failed: there is nobody left to tell.
    }
    this.current = undefined;
    this.planNext();
    for (const { resolve } of waiters) resolve();
  }

  private async tick(): Promise<void> {
    this.alarmAt = null;
    this.parts.timers.silence();
    const { woken } = this;
    this.again = this.woken = false;
    this.named = this.askAgainAt = null;
    const began = performance.now();
    const now = this.parts.clock.now();
    this.seen.lastStartedAt = now;
    try {
      if (this.turn === undefined) this.named = (await this.row.tick(now)) ?? null;
      else Object.assign(this, await this.turn.tick(now, woken));
      this.succeeded(performance.now() - began);
    } catch (error) {
      this.failed(performance.now() - began, error);
    }
  }

  private succeeded(durationMs: number): void {
    const failures = this.seen.failuresInARow;
    const lastSucceededAt = this.parts.clock.now();
    const ticks = this.seen.ticks + 1;
    Object.assign(this.seen, { ticks, lastDurationMs: durationMs, lastSucceededAt, failuresInARow: 0 });
    if (failures > 0) this.parts.watch.recovered(this.row, failures);
    this.parts.watch.ticked(this.row, durationMs);
  }

  private failed(durationMs: number, error: unknown): void {
    const { ticks, failures, failuresInARow } = this.seen;
    Object.assign(this.seen, {
      ticks: ticks + 1,
      failures: failures + 1,
      failuresInARow: failuresInARow + 1,
      lastDurationMs: durationMs,
      lastError: error instanceof Error ? error.message : String(error),
    });
    this.parts.watch.failed(this.row, durationMs, error, failuresInARow + 1);
  }

  private planNext(): void {
    if (this.state !== 'open') return;
    const now = this.parts.clock.now().getTime();
    const { rhythm } = this.row;
    if (this.seen.failuresInARow > 0) {
      const regular = 'cron' in rhythm ? this.parts.timers.nextCron(new Date(now)).getTime() - now : beatOf(rhythm);
      return this.arm(new Date(now + Math.min(regular, this.backOff(regular))));
    }
    if (this.again) return this.arm(new Date(now));
    if (this.askAgainAt !== null) {
      const at = Math.max(this.askAgainAt.getTime(), now + PAST_DUE_PAUSE_MS);
      if ('cron' in rhythm && at >= this.parts.timers.nextCron(new Date(now)).getTime())
        return this.armCron(new Date(now));
      return this.arm(new Date('cron' in rhythm ? at : Math.min(at, now + beatOf(rhythm))));
    }
    if ('cron' in rhythm) return this.armCron(new Date(now));
    if ('everyMs' in rhythm) return;
    const named = this.named === null ? Infinity : Math.max(this.named.getTime(), now + PAST_DUE_PAUSE_MS);
    this.arm(new Date(Math.min(named, now + rhythm.atMostMs)));
  }

  /** Twice as long after each failure, up to the row's own rhythm; the upper half of it by chance. */
  private backOff(regularMs: number): number {
    const full = FIRST_RETRY_MS * 2 ** Math.min(this.seen.failuresInARow - 1, 30);
    return Math.min(full, regularMs, LONGEST_RETRY_MS) * (0.5 + this.parts.chance() / 2);
  }

  /** A wake while backing off shortens the wait, but does not end it: else wakes during an outage were a busy loop. */
  private retryWithin(ms: number): void {
    const soon = new Date(this.parts.clock.now().getTime() + ms);
    if (this.alarmAt === null || soon < this.alarmAt) this.arm(soon);
  }

  private armCron(after: Date): void {
    const instant = this.parts.timers.nextCron(after);
    this.turn?.waitFor(instant);
    this.arm(instant);
  }

  private arm(at: Date): void {
    this.alarmAt = at;
    const ring = (): void => {
      if (this.alarmAt !== at) return;
      // Timers may ring a millisecond early, and the house's clock is corrected now and then.
      if (this.parts.clock.now() < at) this.arm(at);
      else this.startTick();
    };
    this.parts.timers.ringIn(Math.max(0, Math.ceil(at.getTime() - this.parts.clock.now().getTime())), ring);
  }

  private closedError(): Error {
    return new Error(`the timetable's row ${this.row.name} is closed: there will be no further tick`);
  }
}

function beatOf(rhythm: { everyMs: number } | { whenDue: true; atMostMs: number }): number {
  return 'everyMs' in rhythm ? rhythm.everyMs : rhythm.atMostMs;
}
