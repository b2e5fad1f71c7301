// Platform. New identifiers: UUIDs of version 7 (RFC 9562), 48 bits of the house's time, then a counter and chance.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';

const COUNTER_END = 0x1000;

export class RandomIds implements Ids {
  private millisecond = 0;
  private counter = 0;

  constructor(private readonly clock: Clock) {}

  uuid(): string {
    this.advance();
    const time = this.millisecond.toString(16).padStart(12, '0');
    const count = this.counter.toString(16).padStart(3, '0');
    // Of a version 4 the last two groups are chance and the variant; Node makes those by the thousand.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`;
  }

  /** Ids of one process grow strictly, also within a millisecond and when the clock is put back. */
  private advance(): void {
    const now = this.clock.now().getTime();
    if (now > this.millisecond) {
      this.millisecond = now;
      // The upper half stays free, so that a burst can count on.
      this.counter = randomBytes(2).readUInt16BE() % (COUNTER_END / 2);
    } else if (++this.counter === COUNTER_END) {
      this.millisecond += 1;
      this.counter = 0;
    }
  }
}
