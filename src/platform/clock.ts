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

/** What time the database said it was, between two readings of the monotonic clock. */
export interface ClockSample {
  readonly asked: number;
  readonly time: Date;
  readonly answered: number;
}

interface Measurement {
  readonly offset: number;
  readonly roundTripMs: number;
}

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
   * @param seen what a question for something else has brought along; good enough, it is the measurement
   */
  async measure(seen?: ClockSample): Promise<void> {
    let best = seen === undefined ? undefined : measured(seen);
    if (best !== undefined && (best.roundTripMs <= GOOD_ROUND_TRIP_MS || this.agrees(best))) return this.keep(best);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const sample = await this.sample().catch((error: unknown) => {
        if (best === undefined) throw error;
        return best;
      });
      if (best === undefined || sample.roundTripMs < best.roundTripMs) best = sample;
      if (best.roundTripMs <= GOOD_ROUND_TRIP_MS) break;
    }
    if (best !== undefined) this.keep(best);
  }

  reading(): ClockReading {
    const aheadOfWallMs = Math.round(this.machine.monotonic() + this.offset - this.machine.wall().getTime());
    return this.measured === undefined
      ? { source: 'machine', aheadOfWallMs }
      : { source: 'database', aheadOfWallMs, roundTripMs: this.measured.roundTripMs, measuredAt: this.measured.at };
  }

  /** The database read its clock somewhere within the round trip; the middle is the best guess. */
  private async sample(): Promise<Measurement> {
    const asked = this.machine.monotonic();
    const time = await this.readDatabase();
    return measured({ asked, time, answered: this.machine.monotonic() });
  }

  /** A slow answer that does not contradict the offset says nothing new: a busy moment is no reason to ask again. */
  private agrees({ offset, roundTripMs }: Measurement): boolean {
    return this.measured !== undefined && Math.abs(offset - this.offset) <= roundTripMs / 2;
  }

  private keep({ offset, roundTripMs }: Measurement): void {
    if (roundTripMs <= GOOD_ROUND_TRIP_MS || !this.agrees({ offset, roundTripMs })) this.offset = offset;
    this.measured = { roundTripMs, at: this.now() };
  }
}

function measured({ asked, time, answered }: ClockSample): Measurement {
  return { offset: time.getTime() - (asked + answered) / 2, roundTripMs: answered - asked };
}
