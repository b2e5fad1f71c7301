// Platform, outbox. Forgets events that everybody has taken, after a while in which people may still look at them.
import type { OutboxStore } from './outbox-store';

const BATCH = 5_000;

export class OutboxRetention {
  constructor(
    private readonly store: OutboxStore,
    private readonly keepDays: number,
  ) {}

  async run(now: Date): Promise<number> {
    const olderThan = new Date(now.getTime() - this.keepDays * 86_400_000);
    let forgotten = 0;
    for (let batch = BATCH; batch === BATCH; forgotten += batch) batch = await this.store.forget(olderThan, BATCH);
    return forgotten;
  }
}
