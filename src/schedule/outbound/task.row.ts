// Outbound. A task as its two tables store it, column by column, both ways. The statements are in sql-task-repository.ts
// (for people) and sql-dispatch-ledger.ts (for firings).
import { restoreScheduleSpec, toWire } from '../domain/schedule-spec';
import { restoreTask, type StoredTask } from '../domain/stored-task';
import type { ScheduledTask } from '../domain/task';

/** `scheduled_tasks t` joined with `scheduled_task_states s`. */
export interface TaskRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly title: string;
  readonly prompt: string;
  readonly assistant_id: string;
  readonly context_mode: string;
  readonly thread_id: string | null;
  readonly working_folder: string | null;
  readonly schedule_type: string;
  readonly schedule_spec: unknown;
  readonly timezone: string;
  readonly overlap_policy: string;
  readonly misfire_grace_seconds: number | null;
  readonly queue_timeout_seconds: number | null;
  readonly recurring: boolean;
  readonly session_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly status: string;
  readonly next_run_at: Date | null;
  readonly last_run_at: Date | null;
  readonly last_run_id: string | null;
  readonly last_thread_id: string | null;
  readonly last_error: string | null;
  readonly run_count: number;
  readonly missed_occurrences: number;
  readonly version: number;
}

export const TASK_COLUMNS = `
  t.id, t.tenant_id, t.user_id, t.title, t.prompt, t.assistant_id, t.context_mode, t.thread_id, t.working_folder,
  t.schedule_type, t.schedule_spec, t.timezone, t.overlap_policy, t.misfire_grace_seconds, t.queue_timeout_seconds,
  t.recurring, t.session_id, t.created_at, t.updated_at, t.deleted_at, s.status, s.next_run_at, s.last_run_at, s.last_run_id, s.last_thread_id, s.last_error, s.run_count,
  s.missed_occurrences, s.version`;

/** The raw row: whether it still makes a task is decided in the domain. */
export function toStored(row: TaskRow): StoredTask {
  return {
    id: row.id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    title: row.title,
    prompt: row.prompt,
    assistantId: row.assistant_id,
    contextMode: row.context_mode,
    threadId: row.thread_id,
    workingFolder: row.working_folder,
    scheduleType: row.schedule_type,
    scheduleSpec: row.schedule_spec,
    timezone: row.timezone,
    overlapPolicy: row.overlap_policy,
    misfireGraceSeconds: row.misfire_grace_seconds,
    queueTimeoutSeconds: row.queue_timeout_seconds,
    recurring: row.recurring,
    sessionId: row.session_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    status: row.status,
    nextRunAt: row.next_run_at,
    lastRunAt: row.last_run_at,
    lastRunId: row.last_run_id,
    lastThreadId: row.last_thread_id,
    lastError: row.last_error,
    runCount: row.run_count,
    missedOccurrences: row.missed_occurrences,
    version: row.version,
  };
}

/** @throws CorruptTaskError when the row does not make a task; only a hand in the database makes such a row. */
export function toTask(row: TaskRow): ScheduledTask {
  return restoreTask(toStored(row), restoreScheduleSpec);
}

/** The columns of the rule that an edit may change, in the order both statements write them. */
export function ruleValues({ rule }: ScheduledTask): unknown[] {
  return [
    rule.title,
    rule.prompt,
    rule.assistantId,
    rule.contextMode,
    rule.threadId,
    rule.workingFolder,
    rule.spec.type,
    JSON.stringify(toWire(rule.spec)),
    rule.spec.zone.name,
    rule.overlapPolicy,
    rule.misfireGraceSeconds,
    rule.queueTimeoutSeconds,
    rule.recurring,
    rule.sessionId,
    rule.updatedAt,
    rule.deletedAt,
  ];
}
