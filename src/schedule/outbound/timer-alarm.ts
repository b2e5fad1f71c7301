// Outbound adapter. Timers of this process, one for each instant that somebody waits for.
import type { Clock } from '../../kernel/clock';
import type { Alarm } from '../ports/alarm';

interface Ring {
  readonly rung: Promise<boolean>;
  readonly resolve: (rung: boolean) => void;
  timer: NodeJS.Timeout | undefined;
}

/** Looked at again after this long: the clock of the house may be set by then, and a timer holds only so much. */
const LONGEST_MS = 60_000;

export class TimerAlarm implements Alarm {
  private readonly rings = new Map<number, Ring>();
  private silenced = false;

  constructor(private readonly clock: Clock) {}

  at(instant: Date): Promise<boolean> {
    if (this.silenced) return Promise.resolve(false);
    const at = instant.getTime();
    if (this.msUntil(at) <= 0) return Promise.resolve(true);
    return (this.rings.get(at) ?? this.add(at)).rung;
  }

  silence(): void {
    this.silenced = true;
    for (const { timer, resolve } of this.rings.values()) {
      clearTimeout(timer);
      resolve(false);
    }
    this.rings.clear();
  }

  private add(at: number): Ring {
    let resolve!: Ring['resolve'];
    const rung = new Promise<boolean>((done) => (resolve = done));
    const ring: Ring = { rung, resolve, timer: undefined };
    this.rings.set(at, ring);
    this.wind(at, ring);
    return ring;
  }

  private wind(at: number, ring: Ring): void {
    // A timer may ring a millisecond early: whoever waits here must not start too soon.
    const ms = this.msUntil(at);
    if (ms > 0) {
      ring.timer = setTimeout(() => this.wind(at, ring), Math.min(ms, LONGEST_MS));
      return;
    }
    this.rings.delete(at);
    ring.resolve(true);
  }

  private msUntil(at: number): number {
    return at - this.clock.now().getTime();
  }
}
