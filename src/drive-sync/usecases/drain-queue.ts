// The worker. A tick looks after the leases and claims what there are free places for; the jobs run beside it, and each
// that ends makes place for the next. A slow job holds one place, and nobody else.
import type { ThisInstance } from '../../kernel/this-instance';
import type { Clock } from '../../kernel/clock';
import { systemActor } from '../../kernel/actor';
import type { ClaimedJob } from '../domain/job';
import { processChanges } from '../domain/jobs';
import type { SyncPolicy } from '../domain/sync-policy';
import type { JobMetrics } from '../ports/job-metrics';
import type { JobQueue, QueueView } from '../ports/job-queue';
import type { WorkerLog } from '../ports/worker-log';
import type { WorkerWake } from '../ports/worker-wake';
import { errorText } from '../domain/retry';
import type { JobHandlers } from './job-handlers';
import type { RunJob } from './run-job';

interface InHand {
  readonly job: ClaimedJob;
  readonly abort: AbortController;
  readonly end: Promise<void>;
}

const ACTOR = systemActor('drive: poll');
/** Wakes come as often as jobs are queued; leases want looking after now and then. */
const UPKEEP_MS = 2_000;
/** A worker that rests looks once a minute: the poll is rather early than late. */
const LOOKS_MS = 60_000;

export class DrainQueue {
  private readonly inHand = new Map<string, InHand>();
  private filling: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private lookedAfter = 0;

  constructor(
    private readonly queue: JobQueue,
    private readonly wake: WorkerWake,
    private readonly handlers: JobHandlers,
    private readonly jobs: RunJob,
    private readonly metrics: JobMetrics,
    private readonly log: WorkerLog,
    private readonly policy: SyncPolicy,
    private readonly instance: ThisInstance,
    private readonly clock: Clock,
  ) {}

  /** Answers when to look again; null: whoever queues the next job wakes us. */
  async run(now: Date): Promise<Date | null> {
    const pollMs = this.policy.pollMinutes * 60_000;
    const view = await this.queue.look(new Date(now.getTime() - Math.max(pollMs - LOOKS_MS, pollMs / 2)));
    if (now.getTime() - this.lookedAfter >= UPKEEP_MS) {
      await this.lookAfter(view, now);
      this.lookedAfter = now.getTime();
    }
    const work = view.waiting || view.working || view.unsynced.length > 0;
    if (work) await this.fill();
    return work || this.inHand.size > 0 || !this.wake.arrives ? new Date(now.getTime() + this.policy.intervalMs) : null;
  }

  /** Claims nothing more; what is in hand is asked to stop, and given back. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.filling?.catch(() => undefined);
    for (const { abort } of this.inHand.values()) abort.abort(new Error('The server stops.'));
    await Promise.all([...this.inHand.values()].map(({ end }) => end));
  }

  /** Resolves when nothing is in hand and nothing is due. For tests and benchmarks. */
  async idle(): Promise<void> {
    do {
      await this.fill();
      await Promise.all([...this.inHand.values()].map(({ end }) => end));
    } while (this.inHand.size > 0 || this.filling !== undefined);
  }

  private async lookAfter({ working, unsynced }: QueueView, now: Date): Promise<void> {
    const leases = [...this.inHand.keys()];
    if (leases.length > 0) {
      const { lost, cancelled } = await this.queue.renew(leases, this.policy.leaseSeconds);
      for (const lease of lost) this.inHand.get(lease)?.abort.abort(new Error('The lease is lost.'));
      for (const lease of cancelled) this.inHand.get(lease)?.abort.abort(new Error('Cancelled while it was at work.'));
    }
    const recovered = working ? await this.queue.recover(now) : 0;
    if (recovered > 0) this.log.warn(`${recovered} jobs of workers that are gone go on.`);
    // The poll: what no notification told of is found all the same.
    if (unsynced.length > 0) await this.queue.enqueue(ACTOR, unsynced.map(processChanges), now);
  }

  /** One at a time; who asks meanwhile causes one more. */
  private fill(): Promise<void> {
    this.again = true;
    this.filling ??= this.fillUp().finally(() => (this.filling = undefined));
    return this.filling;
  }

  private async fillUp(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      const limit = this.policy.batchSize - this.inHand.size;
      if (limit <= 0) return;
      const { leaseSeconds } = this.policy;
      const now = this.clock.now();
      const { types } = this.handlers;
      const claimed = await this.queue.claim({ owner: this.instance.id, leaseSeconds, limit, types, now });
      for (const job of claimed) this.start(job, now);
      if (claimed.length === limit) this.again = true;
    }
  }

  private start(job: ClaimedJob, now: Date): void {
    const abort = new AbortController();
    this.metrics.started((now.getTime() - job.nextRunAt.getTime()) / 1_000);
    const end = this.jobs
      .run(job, abort.signal)
      // Its end could not be written down: the lease runs out, and the job is done again.
      .catch((error: unknown) => this.log.error(`Job ${job.uid} could not be ended: ${errorText(error)}`))
      .finally(() => {
        this.inHand.delete(job.leaseToken);
        // The next tick tells of a database that is away.
        if (!this.stopped) void this.fill().catch(() => undefined);
      });
    this.inHand.set(job.leaseToken, { job, abort, end });
  }
}
