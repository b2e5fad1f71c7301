// Outbound. The stored shape of a job.
import type { ClaimedJob, Job, JobPayload, JobStatus } from '../domain/job';

export interface JobRow {
  readonly id: string;
  readonly uid: string;
  readonly tenant_id: number;
  readonly job_type: string;
  readonly payload: JobPayload;
  readonly status: JobStatus;
  readonly priority: number;
  readonly retry_count: number;
  readonly max_retries: number;
  readonly next_run_at: Date;
  readonly last_error: string | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly created_at: Date;
  readonly lease_token: string | null;
}

export const JOB_COLUMNS = `j.id, j.uid, j.tenant_id, j.job_type, j.payload, j.status, j.priority, j.retry_count,
         j.max_retries, j.next_run_at, j.last_error, j.started_at, j.finished_at, j.created_at, j.lease_token`;

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    uid: row.uid,
    tenantId: row.tenant_id,
    type: row.job_type,
    payload: row.payload,
    status: row.status,
    priority: row.priority,
    retryCount: row.retry_count,
    maxRetries: row.max_retries,
    nextRunAt: row.next_run_at,
    lastError: row.last_error,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    createdAt: row.created_at,
  };
}

export function toClaimedJob(row: JobRow): ClaimedJob {
  if (row.lease_token === null) throw new Error(`job ${row.id} was claimed without a lease`);
  return { ...toJob(row), leaseToken: row.lease_token };
}
