// Domain: a job of the Drive queue, and its life. PENDING → IN_PROGRESS → SUCCESS | FAILED | PENDING again; SKIPPED: not
// done on purpose (no handler for its type, cancelled, or the same as one that waits).

export const JOB_STATUSES = ['PENDING', 'IN_PROGRESS', 'SUCCESS', 'FAILED', 'SKIPPED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_TYPES = [
  'ARCHIVE_DRIVE_FILE',
  'CREATE_FOLDER',
  'IMPORT_DRIVE_FILE',
  'INIT_PROJECT_FOLDERS',
  'PROCESS_DRIVE_CHANGES',
  'RECONCILE_TASK_FOLDER',
  'RENAME_FOLDER',
  'SOFT_DELETE_EVIDENCE',
] as const;
export type JobType = (typeof JOB_TYPES)[number];

export type JobPayload = Readonly<Record<string, unknown>>;

/** What is asked for. `dedupeKey`: one that waits already is enough. `itemKey`: jobs on one item go one after another. */
export interface NewJob {
  readonly tenantId: number;
  readonly type: JobType;
  readonly payload: JobPayload;
  readonly priority?: number;
  readonly dedupeKey?: string;
  readonly itemKey?: string;
}

export interface Job {
  readonly id: string;
  readonly uid: string;
  readonly tenantId: number;
  /** As stored: a newer version may have queued what this one cannot do. */
  readonly type: string;
  readonly payload: JobPayload;
  readonly status: JobStatus;
  readonly priority: number;
  readonly retryCount: number;
  readonly maxRetries: number;
  readonly nextRunAt: Date;
  readonly lastError: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
}

/** A job in this process's hands: what it writes about it counts only as long as it holds the lease. */
export interface ClaimedJob extends Job {
  readonly leaseToken: string;
}

/** More urgent ones go first: what a person waits for before what the house looks after. */
export const PRIORITY = { changes: 20, structure: 10, content: 0, upkeep: -10 } as const;

export function text(payload: JobPayload, field: string): string {
  const value = payload[field];
  if (typeof value !== 'string' || value === '') throw new TypeError(`the job's payload has no ${field}`);
  return value;
}
