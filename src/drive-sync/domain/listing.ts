// Domain: lists of jobs and their counts.
import { JOB_STATUSES, type JobStatus } from './job';

export interface JobFilter {
  readonly status?: JobStatus;
  readonly type?: string;
}

export interface JobPage {
  readonly limit: number;
  /** The id of the last job of the page before. */
  readonly before?: string;
}

export type JobCounts = Readonly<Record<JobStatus, number>>;

export function countsOf(rows: readonly { readonly status: string; readonly count: number }[]): JobCounts {
  const counts = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as Record<JobStatus, number>;
  for (const { status, count } of rows) counts[status as JobStatus] = count;
  return counts;
}
