// Port: the queue of Drive jobs. What several processes may do at once is safe: every change is conditional on the job's
// state, and on the lease for what the holder writes.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ClaimedJob, Job, NewJob } from '../domain/job';
import type { JobCounts, JobFilter, JobPage } from '../domain/listing';

export interface ClaimOrder {
  readonly owner: string;
  readonly leaseSeconds: number;
  readonly limit: number;
  /** The types that there are handlers for. A job of another type is claimed even when its tenant is not connected. */
  readonly types: readonly string[];
  readonly now: Date;
}

export type JobEnd =
  | { readonly status: 'SUCCESS' }
  | { readonly status: 'FAILED' | 'SKIPPED'; readonly error: string }
  /** Another try. */
  | { readonly status: 'PENDING'; readonly at: Date; readonly error: string }
  /** Given back untried. */
  | { readonly status: 'PARKED'; readonly error: string | null };

/** What there is to do, by one look. */
export interface QueueView {
  /** Something waits, due or not, that may be worked on. */
  readonly waiting: boolean;
  /** Something is worked on, by whomever. */
  readonly working: boolean;
  /** Connected tenants whose feed was last read to its end before, and since then not in vain either. */
  readonly unsynced: readonly number[];
}

export interface LeaseReport {
  /** Leases that somebody else has by now, or nobody. */
  readonly lost: readonly string[];
  readonly cancelled: readonly string[];
}

export interface JobQueue {
  /**
   * Adds jobs, but not those that wait already under the same dedupe key, and none for a tenant without a connection.
   * Answers how many were added.
   */
  enqueue(actor: Actor, jobs: readonly NewJob[], now: Date): Promise<number>;
  look(syncedBefore: Date): Promise<QueueView>;
  /**
   * Takes jobs that are due: higher priority first, within it the tenants in turn, within a tenant the oldest. Of jobs on
   * one item only the oldest, and none while another is worked on. Commits before it answers: no handler runs inside.
   */
  claim(order: ClaimOrder): Promise<ClaimedJob[]>;
  /** Extends the leases that are still held. */
  renew(leaseTokens: readonly string[], leaseSeconds: number): Promise<LeaseReport>;
  /** Gives back the jobs of dead workers; one that killed several is failed. Answers how many. */
  recover(now: Date): Promise<number>;
  /** Writes the end of a try. Answers false when the lease is lost: nothing was written. */
  finish(job: ClaimedJob, end: JobEnd, now: Date): Promise<boolean>;
  find(actor: Actor, uid: string): Promise<Job | null>;
  list(actor: Actor, filter: JobFilter, page: JobPage): Promise<Job[]>;
  counts(actor: Actor, tenantId?: number): Promise<JobCounts>;
  /** @throws JobStateError for one that is not FAILED or SKIPPED, or that waits already under another id */
  retry(actor: Actor, uid: string, now: Date): Promise<Job | null>;
  /** A waiting one is SKIPPED at once; one that is worked on is asked to stop. @throws JobStateError for a finished one */
  cancel(actor: Actor, uid: string, by: string, now: Date): Promise<Job | null>;
  /** Removes jobs that ended before. Answers how many. */
  forget(endedBefore: Date): Promise<number>;
}

export const JobQueue = token<JobQueue>('JobQueue');
