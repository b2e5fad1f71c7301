// Platform. New identifiers: UUIDs of version 7 (RFC 9562), 48 bits of the house's time, then a counter and chance.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';

const COUNTER_END = 0x1000;

export class RandomIds implements Ids {
  private millisecond = 0;
  private counter = 0;

  constructor(private readonly clock: Clock) {}

  uuid(): string {
    this.advance();
    const bytes = randomBytes(16);
    bytes.writeUIntBE(this.millisecond, 0, 6);
    bytes.writeUInt16BE(0x7000 | this.counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
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
