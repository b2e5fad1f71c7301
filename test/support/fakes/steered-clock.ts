// Test support. A clock that stands still until a test moves it; the leases' clock of the in-memory books, too.
import type { Clock } from '../../../src/kernel/clock';

export class SteeredClock implements Clock {
  constructor(private at: Date) {}

  now(): Date {
    return this.at;
  }

  set(at: Date): void {
    this.at = at;
  }

  advance(seconds: number): Date {
    this.at = new Date(this.at.getTime() + seconds * 1_000);
    return this.at;
  }
}
