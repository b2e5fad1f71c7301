// Test support. An alarm that rings when the test moves the clock and says so.
import type { Alarm } from '../../../src/schedule/ports/alarm';
import type { SteeredClock } from './steered-clock';

export class SteeredAlarm implements Alarm {
  private waiting: { readonly at: Date; readonly ring: (rung: boolean) => void }[] = [];
  private watchers: (() => void)[] = [];
  private silenced = false;

  constructor(private readonly clock: SteeredClock) {}

  at(instant: Date): Promise<boolean> {
    if (this.silenced) return Promise.resolve(false);
    if (instant <= this.clock.now()) return Promise.resolve(true);
    return new Promise((ring) => {
      this.waiting.push({ at: instant, ring });
      for (const seen of this.watchers.splice(0)) seen();
    });
  }

  silence(): void {
    this.silenced = true;
    for (const { ring } of this.waiting.splice(0)) ring(false);
  }

  /** Sets the clock, and rings for everybody whose instant has come. */
  ring(now: Date): void {
    this.clock.set(now);
    const rung = this.waiting.filter(({ at }) => at <= now);
    this.waiting = this.waiting.filter(({ at }) => at > now);
    for (const { ring } of rung) ring(true);
  }

  /** The instants that are waited for. */
  instants(): Date[] {
    return this.waiting.map(({ at }) => at);
  }

  /** Resolves as soon as somebody waits. */
  async waitedFor(): Promise<void> {
    if (this.waiting.length === 0) await new Promise<void>((seen) => this.watchers.push(seen));
  }
}
