// Platform. The only place that asks what time it is. The house's time is the database's, so that all processes agree
// and a machine whose wall clock is wrong or jumps changes nothing: an offset measured against the database is added
// to the monotonic clock. Leases and fences do not use it: they compare within the database (horarium_now()).
import { Clock } from '../kernel/clock';

/** What this process has of its own. */
export interface MachineClock {
  /** Milliseconds since some fixed moment; never goes back, whatever happens to the wall clock. */
  monotonic(): number;
  wall(): Date;
}

const MACHINE: MachineClock = { monotonic: () => performance.now(), wall: () => new Date() };

/** The state of the clock, for health and metrics. */
export interface ClockReading {
  /** `machine` until the first measurement has succeeded. */
  readonly source: 'database' | 'machine';
  /** How far the house's time is ahead of this machine's wall clock at this moment, in milliseconds. */
  readonly aheadOfWallMs: number;
  /** The measurement is right to within half of its round trip. */
  readonly roundTripMs?: number;
  readonly measuredAt?: Date;
}

/** A correction backwards by less than this is waited out: time stands still for a moment instead of going back. */
const STAND_STILL_MS = 1_000;
/** A slow answer is asked for again: half of the round trip is the error of the measurement. */
const GOOD_ROUND_TRIP_MS = 20;
const ATTEMPTS = 3;

export class DatabaseClock implements Clock {
  private offset: number;
  private lastGiven = Number.NEGATIVE_INFINITY;
  private measured?: { roundTripMs: number; at: Date };

  /** @param readDatabase the database's own time at this moment, never a transaction's start */
  constructor(
    private readonly readDatabase: () => Promise<Date>,
    private readonly machine: MachineClock = MACHINE,
  ) {
    this.offset = machine.wall().getTime() - machine.monotonic();
  }

  now(): Date {
    const time = this.machine.monotonic() + this.offset;
    const stands = time < this.lastGiven && this.lastGiven - time < STAND_STILL_MS;
    if (!stands) this.lastGiven = time;
    return new Date(Math.floor(this.lastGiven));
  }

  /**
   * Measures the offset again: at start and at every heartbeat. Rejects when the database cannot be asked; the
   * offset then stays as it was, which a monotonic clock keeps good for hours.
   */
  async measure(): Promise<void> {
    let best: { offset: number; roundTripMs: number } | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const sample = await this.sample().catch((error: unknown) => {
        if (best === undefined) throw error;
        return best;
      });
      if (best === undefined || sample.roundTripMs < best.roundTripMs) best = sample;
      if (best.roundTripMs <= GOOD_ROUND_TRIP_MS) break;
    }
    if (best === undefined) return;
    this.offset = best.offset;
    this.measured = { roundTripMs: best.roundTripMs, at: this.now() };
  }

  reading(): ClockReading {
    const aheadOfWallMs = Math.round(this.machine.monotonic() + this.offset - this.machine.wall().getTime());
    return this.measured === undefined
      ? { source: 'machine', aheadOfWallMs }
      : { source: 'database', aheadOfWallMs, roundTripMs: this.measured.roundTripMs, measuredAt: this.measured.at };
  }

  /** The database read its clock somewhere within the round trip; the middle is the best guess. */
  private async sample(): Promise<{ offset: number; roundTripMs: number }> {
    const before = this.machine.monotonic();
    const time = await this.readDatabase();
    const after = this.machine.monotonic();
    return { offset: time.getTime() - (before + after) / 2, roundTripMs: after - before };
  }
}
