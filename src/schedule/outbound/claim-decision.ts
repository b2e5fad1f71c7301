// Outbound. One due row as the claim's insert wants it: the run it may become, and what either answer of the insert makes
// of the task. What is decided is the domain's (dispatch.ts); here it is only laid out for the statement.
import type { Ids } from '../../kernel/ids';
import { prefixedId } from '../../kernel/ids';
import { afterAdoption, claim, kindOf } from '../domain/dispatch';
import { CorruptTaskError } from '../domain/errors';
import { lateReason } from '../domain/late-reason';
import { threadOf } from '../domain/launch-order';
import type { Occurrences } from '../domain/occurrences';
import { RUN_ID_PREFIX, ScheduledRun } from '../domain/run';
import type { RunStatus } from '../domain/run-status';
import { progressOfCorrupt } from '../domain/stored-task';
import type { ScheduledTask } from '../domain/task';
import type { ProgressChange } from '../domain/task-progress';
import type { ClaimOrder } from '../ports/dispatch-ledger';
import { changeColumns } from './progress-change.row';
import { toTask, type TaskRow } from './task.row';

export interface ClaimDecision {
  /** Null for a row that makes no task. */
  readonly task: ScheduledTask | null;
  readonly run: ScheduledRun;
  readonly missed: number;
  /** What becomes of the task when the occurrence turns out to have a run already, which is in this state. */
  ifAdopted(existing: RunStatus): ProgressChange;
  /** The parameter of APPLY_CLAIM. */
  readonly row: Readonly<Record<string, unknown>>;
}

export function decideClaim(
  row: TaskRow,
  { now, instanceId, attention }: ClaimOrder,
  ids: Ids,
  occurrences: Occurrences,
): ClaimDecision {
  const scheduledFor = row.next_run_at ?? now;
  const fresh = {
    id: prefixedId(RUN_ID_PREFIX, ids),
    taskId: row.id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    scheduledFor,
    trigger: 'scheduled' as const,
    instanceId,
    createdAt: now,
    lateReason: attention === undefined ? null : lateReason(scheduledFor, now, attention),
  };
  try {
    const task = toTask(row);
    const decision = claim({ ...task.rule, nextRunAt: scheduledFor }, now, occurrences);
    const threadId = threadOf(task.rule, ids.uuid());
    return {
      task,
      run: ScheduledRun.queued({ ...fresh, threadId }),
      missed: decision.ifSkipped.missedBy ?? 0,
      ifAdopted: (existing) => afterAdoption(kindOf(task.scheduleType, task.rule.recurring), decision, existing),
      row: {
        ...insertColumns({ ...fresh, threadId }),
        may_queue: decision.ifQueued !== null,
        may_wait: decision.ifWaiting !== null,
        skip_reason: decision.skip.reason,
        skip_error: decision.skip.error,
        if_queued: changeColumns(decision.ifQueued ?? decision.ifSkipped),
        if_waiting: changeColumns(decision.ifWaiting ?? decision.ifSkipped),
        if_skipped: changeColumns(decision.ifSkipped),
      },
    };
  } catch (error) {
    if (!(error instanceof CorruptTaskError)) throw error;
    const progress = progressOfCorrupt(error);
    const change = changeColumns(progress);
    const threadId = row.thread_id ?? ids.uuid();
    return {
      task: null,
      run: ScheduledRun.queued({ ...fresh, threadId }),
      missed: 0,
      ifAdopted: () => progress,
      row: {
        ...insertColumns({ ...fresh, threadId }),
        may_queue: false,
        may_wait: false,
        skip_reason: 'corrupt',
        skip_error: error.message,
        if_queued: change,
        if_waiting: change,
        if_skipped: change,
      },
    };
  }
}

function insertColumns(run: Parameters<typeof ScheduledRun.queued>[0]): Record<string, unknown> {
  return {
    run_id: run.id,
    task_id: run.taskId,
    tenant_id: run.owner.tenantId,
    user_id: run.owner.userId,
    thread_id: run.threadId,
    scheduled_for: run.scheduledFor,
    late_reason: run.lateReason,
  };
}
