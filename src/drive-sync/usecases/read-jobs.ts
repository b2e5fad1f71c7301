// The queue as people see and steer it.
import type { Actor, UserActor } from '../../kernel/actor';
import { JobNotFoundError } from '../domain/errors';
import type { Job } from '../domain/job';
import type { JobCounts, JobFilter, JobPage } from '../domain/listing';
import type { JobQueue } from '../ports/job-queue';
import type { WorkerWake } from '../ports/worker-wake';

/** The queue for people: of their own tenant. */
export class ReadJobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly wake: WorkerWake,
  ) {}

  list(actor: Actor, filter: JobFilter, page: JobPage): Promise<Job[]> {
    return this.queue.list(actor, filter, page);
  }

  counts(actor: Actor): Promise<JobCounts> {
    return this.queue.counts(actor);
  }

  async one(actor: Actor, uid: string): Promise<Job> {
    return this.demanded(uid, await this.queue.find(actor, uid));
  }

  async retry(actor: UserActor, uid: string, now: Date): Promise<Job> {
    const job = this.demanded(uid, await this.queue.retry(actor, uid, now));
    this.wake.wake();
    return job;
  }

  async cancel(actor: UserActor, uid: string, now: Date): Promise<Job> {
    return this.demanded(uid, await this.queue.cancel(actor, uid, actor.userId, now));
  }

  private demanded(uid: string, job: Job | null): Job {
    if (job === null) throw new JobNotFoundError(uid);
    return job;
  }
}
