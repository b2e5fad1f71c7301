// Use case. The nightly clean-up of parse jobs.
import { systemActor } from '../../kernel/actor';
import type { ParseJobPolicy } from '../domain/parse-job-policy';
import type { ParseJobRepository } from '../ports/parse-job-repository';
import type { ParseJobSignals } from '../ports/parse-job-signals';

export interface Sweep {
  /** Deleted softly; with `dryRun`, how many would be. */
  readonly deleted: number;
  readonly purged: number;
}

export interface SweepOrder {
  readonly dryRun?: boolean;
  /** Instead of the operator's setting. */
  readonly olderThanSeconds?: number;
}

const ACTOR = systemActor('parse job clean-up');
/** Each batch is a transaction of its own: whatever happens, what was done stays done. */
const BATCH = 500;

export class SweepParseJobs {
  constructor(
    private readonly jobs: ParseJobRepository,
    private readonly signals: ParseJobSignals,
    private readonly policy: ParseJobPolicy,
  ) {}

  /** Again changes nothing. */
  async run({ dryRun = false, olderThanSeconds = this.policy.ttlSeconds }: SweepOrder = {}): Promise<Sweep> {
    if (dryRun) return { deleted: await this.jobs.countExpired(ACTOR, olderThanSeconds), purged: 0 };
    const deleted = await batches((limit) => this.jobs.deleteExpired(ACTOR, olderThanSeconds, limit));
    const { purgeAfterSeconds } = this.policy;
    const purged =
      purgeAfterSeconds === null ? 0 : await batches((limit) => this.jobs.purge(ACTOR, purgeAfterSeconds, limit));
    this.signals.swept(deleted, purged);
    return { deleted, purged };
  }
}

async function batches(work: (limit: number) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let done = BATCH; done === BATCH; sum += done) done = await work(BATCH);
  return sum;
}
