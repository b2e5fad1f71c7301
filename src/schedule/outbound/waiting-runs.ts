// Outbound. Runs that wait for their turn (overlap_policy queue): which they are, how they get it, and how a run by hand
// joins them. Part of the books of dispatching, see sql-dispatch-ledger.ts.
import type { Tx } from '../../platform/persistence/sessions';
import { CorruptTaskError } from '../domain/errors';
import { ScheduledRun, WITHDRAWN, type Withdrawal } from '../domain/run';
import type { ScheduledTask } from '../domain/task';
import type { ClaimedRun, ClaimOrder, WaitingRun } from '../ports/dispatch-ledger';
import { hasActiveRun } from './active-run';
import { freePlaces } from './claim-due';
import { RUN_COLUMNS, toRun, type RunRow } from './run.row';
import { toTask, type TaskRow } from './task.row';
import { LOCK_TASKS_OF, TASKS_OF } from './tasks-of-runs';

// One row of each kind beside the other: the run's columns are its own, the task's come as one value.
const WAITING = `
  select ${RUN_COLUMNS}, ${hasActiveRun('r.task_id')} as blocked
    from scheduled_task_runs r
   where r.status = 'waiting'
   order by r.created_at, r.id
   limit $1`;

// Promise: a waiting run gets its turn once, whatever other processes do, and never beside an active run of its task.
const PROMOTE = `
  update scheduled_task_runs r
     set status = 'queued', instance_id = $2, late_reason = coalesce(r.late_reason, 'waited')
   where r.id = any ($1) and r.status = 'waiting' and not ${hasActiveRun('r.task_id')}
  returning ${RUN_COLUMNS}`;

const AHEAD = `
  select ${RUN_COLUMNS} from scheduled_task_runs r
   where r.status = 'waiting' and (r.task_id = $1 or r.thread_id = $2)
   order by r.task_id = $1 desc
   limit 1`;

const ACTIVE = `select where ${hasActiveRun('$1')}`;

const INSERT_WAITING = `
  insert into scheduled_task_runs
    (id, task_id, tenant_id, user_id, thread_id, instance_id, trigger, status, scheduled_for, created_at)
  values ($1, $2, $3, $4, $5, $6, 'manual', 'waiting', $7, $7)`;

const REBIND = `
  update scheduled_task_runs set thread_id = $2 where task_id = $1 and status = 'waiting' and thread_id <> $2`;

const WITHDRAW = `
  update scheduled_task_runs
     set status = 'interrupted', reason = $2, error = $3, finished_at = $4
   where task_id = $1 and status = 'waiting'`;

export async function waitingRuns(tx: Tx, limit: number): Promise<WaitingRun[]> {
  const rows = await tx.query<RunRow & { blocked: boolean }>(WAITING, [limit]);
  if (rows.length === 0) return [];
  const tasks = await tasksById(
    tx,
    rows.map((row) => row.task_id),
  );
  return rows.map((row) => ({ run: toRun(row), blocked: row.blocked, task: tasks.get(row.task_id) ?? null }));
}

export async function promote(
  tx: Tx,
  runIds: readonly string[],
  { budget, instanceId }: Omit<ClaimOrder, 'limit' | 'attention'>,
): Promise<ClaimedRun[]> {
  const chosen = runIds.slice(0, await freePlaces(tx, budget));
  if (chosen.length === 0) return [];
  await tx.query(LOCK_TASKS_OF, [chosen]);
  const runs = (await tx.query<RunRow>(PROMOTE, [chosen, instanceId])).map(toRun);
  const tasks = await tasksById(
    tx,
    runs.map(({ taskId }) => taskId),
  );
  const place = new Map(chosen.map((id, nr) => [id, nr]));
  return runs
    .sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    .flatMap((run) => {
      const task = tasks.get(run.taskId);
      return task === undefined ? [] : [{ run, task }];
    });
}

/**
 * A run by hand of a task that queues, whose row is locked: null when nobody is before it, so that it may be claimed;
 * else the run that waits, which may have waited before.
 */
export async function joinQueue(tx: Tx, run: ScheduledRun): Promise<ScheduledRun | null> {
  const [row] = await tx.query<RunRow>(AHEAD, [run.taskId, run.threadId]);
  if (row?.task_id === run.taskId) return toRun(row);
  if (row === undefined && (await tx.query(ACTIVE, [run.taskId])).length === 0) return null;
  const { id, taskId, owner, threadId, instanceId, createdAt } = run;
  await tx.query(INSERT_WAITING, [id, taskId, owner.tenantId, owner.userId, threadId, instanceId, createdAt]);
  return new ScheduledRun({ ...run, status: 'waiting' });
}

/** Its task was bound to another conversation while it waited. */
export async function rebindWaiting(tx: Tx, taskId: string, threadId: string): Promise<void> {
  await tx.query(REBIND, [taskId, threadId]);
}

/** In the transaction of whatever took the task's waiting run back. */
export async function withdrawWaiting(tx: Tx, taskId: string, reason: Withdrawal, at: Date): Promise<void> {
  await tx.query(WITHDRAW, [taskId, reason, WITHDRAWN[reason], at]);
}

async function tasksById(tx: Tx, ids: readonly string[]): Promise<Map<string, ScheduledTask>> {
  const rows = await tx.query<TaskRow>(TASKS_OF, [ids]);
  return new Map(
    rows.flatMap((row): [string, ScheduledTask][] => {
      try {
        return [[row.id, toTask(row)]];
      } catch (error) {
        if (!(error instanceof CorruptTaskError)) throw error;
        return [];
      }
    }),
  );
}
