// Port. Parse jobs and the controls that were read. Deleted jobs are absent everywhere but for `restore` and the clean-up.
import type { Actor, SystemActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ControlText } from '../domain/control';
import type { Cursor, ParseJob, ParseJobStatus, StoredControl } from '../domain/parse-job';

export interface ClaimedParseJob {
  readonly job: ParseJob;
  readonly document: Uint8Array;
  /** This one included. */
  readonly attempts: number;
}

export interface ParseJobRepository {
  add(actor: Actor, job: ParseJob, document: Uint8Array): Promise<void>;

  /** Null: absent, deleted, or of another tenant. */
  find(actor: Actor, jobId: string): Promise<ParseJob | null>;

  list(
    actor: Actor,
    filter: { readonly status?: ParseJobStatus },
    page: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ParseJob[]>;

  /** In the order of the document, from number `from` on. */
  controls(actor: Actor, jobId: string, from: number, limit: number): Promise<StoredControl[]>;

  /** The oldest job that waits, or whose parser died; what the dead one had read is gone. Two callers never get the same. */
  claim(actor: SystemActor, owner: string, leaseSeconds: number, now: Date): Promise<ClaimedParseJob | null>;

  /** Adds controls and keeps the claim. False: it is somebody else's by now, or the job is deleted. */
  progress(
    actor: SystemActor,
    jobId: string,
    owner: string,
    step: { readonly total: number; readonly from: number; readonly controls: readonly ControlText[] },
    leaseSeconds: number,
  ): Promise<boolean>;

  /** The end of parsing. The document is let go when it was read. False: as with progress. */
  finish(
    actor: SystemActor,
    jobId: string,
    owner: string,
    end: { readonly status: 'awaiting_review' | 'failed'; readonly error: string | null },
    now: Date,
  ): Promise<boolean>;

  /** Only a job that awaits its review. Null: it does not, or is absent. */
  review(
    actor: Actor,
    jobId: string,
    review: { readonly status: 'approved' | 'rejected'; readonly by: string },
    now: Date,
  ): Promise<ParseJob | null>;

  /** A deleted job is there again; one that is not deleted stays as it is. Null: absent. */
  restore(actor: Actor, jobId: string): Promise<ParseJob | null>;

  /** How many jobs are older than this, by the database's clock. */
  countExpired(actor: SystemActor, ttlSeconds: number): Promise<number>;

  /** Deletes softly at most `limit` jobs that are older, whatever their state. Answers how many. */
  deleteExpired(actor: SystemActor, ttlSeconds: number, limit: number): Promise<number>;

  /** Removes for good at most `limit` jobs that were deleted longer ago than this. Answers how many. */
  purge(actor: SystemActor, purgeAfterSeconds: number, limit: number): Promise<number>;
}

export const ParseJobRepository = token<ParseJobRepository>('ParseJobRepository');
