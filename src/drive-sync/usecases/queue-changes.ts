// Something changed in Drive: the feed is to be read.
import { systemActor } from '../../kernel/actor';
import { processChanges } from '../domain/jobs';
import type { JobQueue } from '../ports/job-queue';

const ACTOR = systemActor('drive: something changed');

/** Something changed in a tenant's Drive. When this resolves, it is stored that its feed is to be read. */
export class QueueChanges {
  constructor(private readonly queue: JobQueue) {}

  async run(tenantId: number, now: Date): Promise<void> {
    await this.queue.enqueue(ACTOR, [processChanges(tenantId)], now);
  }
}
