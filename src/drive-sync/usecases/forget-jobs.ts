// Retention of finished jobs.
import type { SyncPolicy } from '../domain/sync-policy';
import type { JobQueue } from '../ports/job-queue';

/** Removes jobs that ended long ago. */
export class ForgetJobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly policy: SyncPolicy,
  ) {}

  async run(now: Date): Promise<void> {
    const before = new Date(now.getTime() - this.policy.retentionDays * 86_400_000);
    while ((await this.queue.forget(before)) > 0);
  }
}
