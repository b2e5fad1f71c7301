// Test support. Identifiers that count up: the order of their making is the order of their text.
import type { Ids } from '../../../src/kernel/ids';

export class CountedIds implements Ids {
  private made = 0;

  uuid(): string {
    this.made += 1;
    return `00000000-0000-7000-8000-${this.made.toString(16).padStart(12, '0')}`;
  }
}
