// Outbound. A run as its table stores it, column by column, both ways.
import { ScheduledRun } from '../domain/run';
import type { LateReason } from '../domain/late-reason';
import type { RunReason } from '../domain/outcome';
import type { RunStatus } from '../domain/run-status';
import type { Trigger } from '../domain/status';

export interface RunRow {
  readonly id: string;
  readonly task_id: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly thread_id: string;
  readonly agent_run_id: string | null;
  readonly instance_id: string | null;
  readonly trigger: string;
  readonly status: string;
  readonly reason: string | null;
  readonly error: string | null;
  readonly presumed: boolean;
  readonly late_reason: string | null;
  readonly scheduled_for: Date;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export const RUN_COLUMNS = `
  r.id, r.task_id, r.tenant_id, r.user_id, r.thread_id, r.agent_run_id, r.instance_id, r.trigger, r.status, r.reason,
  r.error, r.presumed, r.late_reason, r.scheduled_for, r.created_at, r.started_at, r.finished_at`;

/** Check constraints keep the words of `trigger` and `status`; `reason` is only ever written by this version or an older one. */
export function toRun(row: RunRow): ScheduledRun {
  return new ScheduledRun({
    id: row.id,
    taskId: row.task_id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    threadId: row.thread_id,
    agentRunId: row.agent_run_id,
    instanceId: row.instance_id,
    trigger: row.trigger as Trigger,
    status: row.status as RunStatus,
    reason: row.reason as RunReason | null,
    error: row.error,
    presumed: row.presumed,
    lateReason: row.late_reason as LateReason | null,
    scheduledFor: row.scheduled_for,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  });
}

/** The columns that an event may change. */
export function runChange(run: ScheduledRun): Record<string, unknown> {
  return {
    id: run.id,
    agent_run_id: run.agentRunId,
    status: run.status,
    reason: run.reason,
    error: run.error,
    presumed: run.presumed,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
  };
}
