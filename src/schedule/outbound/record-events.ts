// Outbound. Writes a batch of run events: lock, ask the domain, write. Two statements for any number of events.
import { isChange } from '../domain/task-progress';
import { applyEvent, type RunEvent } from '../domain/run-event';
import { hasEnded } from '../domain/run-status';
import type { RecordedTask } from '../domain/record';
import type { ScheduledRun } from '../domain/run';
import type { ScheduleType } from '../domain/schedule-spec';
import type { TaskStatus } from '../domain/status';
import type { ProgressChange } from '../domain/task-progress';
import type { Tx } from '../../platform/persistence/sessions';
import type { RecordedEvent } from '../ports/dispatch-ledger';
import { APPLY_CHANGE, changeColumns } from './progress-change.row';
import { runChange, RUN_COLUMNS, toRun, type RunRow } from './run.row';

interface LockedRow extends RunRow {
  readonly task_status: string;
  readonly schedule_type: string;
  readonly last_run_at: Date | null;
  readonly last_run_id: string | null;
  readonly deleted_at: Date | null;
}

// Promise: an event is judged against what is stored now. The task's row is locked, in the order of ids so that two
// batches never wait for each other in a circle; the run's row too, since only a locked row is read again after a wait.
const LOCK_RUNS = `
  select ${RUN_COLUMNS}, s.status as task_status, s.last_run_at, s.last_run_id, t.schedule_type, t.deleted_at
    from scheduled_task_runs r
    join scheduled_task_states s on s.task_id = r.task_id
    join scheduled_tasks t on t.id = r.task_id
   where r.id = any ($1)
   order by r.task_id
     for update of s, r`;

const WRITE_RUNS = `
  update scheduled_task_runs r
     set agent_run_id = e.agent_run_id, status = e.status, reason = e.reason, error = e.error, presumed = e.presumed,
         started_at = e.started_at, finished_at = e.finished_at
    from json_to_recordset($1::json) as e
      (id text, agent_run_id text, status text, reason text, error text, presumed boolean, started_at timestamptz,
       finished_at timestamptz)
   where r.id = e.id`;

// Promise: the launch that was claimed gives its lease back, and no other; the columns an event does not own stay as
// they are by now.
const WRITE_TASKS = `
  update scheduled_task_states s
     set ${APPLY_CHANGE},
         lease_owner = case when c.release and s.lease_owner = c.lease_owner then null else s.lease_owner end,
         lease_expires_at = case when c.release and s.lease_owner = c.lease_owner then null else s.lease_expires_at end
    from json_to_recordset($1::json) as c (task_id text, change jsonb, release boolean, lease_owner text)
   where s.task_id = c.task_id`;

const HAS_BACKLOG = `
  select exists (select from scheduled_task_states
                  where next_run_at <= $1 and status = 'enabled' and lease_expires_at is null) as backlog`;

interface Books {
  task: RecordedTask & { readonly id: string };
  run: ScheduledRun;
  change: ProgressChange;
  release: boolean;
}

export async function recordEvents(
  tx: Tx,
  events: readonly { readonly runId: string; readonly event: RunEvent }[],
): Promise<RecordedEvent[]> {
  const rows = await tx.query<LockedRow>(LOCK_RUNS, [[...new Set(events.map(({ runId }) => runId))]]);
  const books = new Map(rows.map((row) => [row.id, openBooks(row)]));
  const changedRuns = new Set<string>();
  let freedAt: Date | null = null;
  const results = events.map(({ runId, event }) => {
    const book = books.get(runId);
    if (book === undefined) return { run: null, changed: false };
    const before = book.run;
    const { run, change } = applyEvent(book.task, before, event);
    book.run = run;
    book.task = { ...book.task, ...changedTask(book.task, change) };
    book.change = merged(book.change, change);
    // An end gives the lease back only when it wrote the launch too; a cron task that ended first without one still
    // waits for it, and an expired lease is how it comes free when that record never arrives.
    book.release ||=
      event.type === 'ended' ? before.status === 'queued' && event.launch !== null : event.type !== 'found';
    if (run !== before) changedRuns.add(runId);
    if (!hasEnded(before.status) && hasEnded(run.status)) freedAt = run.finishedAt;
    return { run, changed: run !== before };
  });

  const written = [...books.values()];
  const runs = written.filter(({ run }) => changedRuns.has(run.id)).map(({ run }) => runChange(run));
  if (runs.length > 0) await tx.query(WRITE_RUNS, [JSON.stringify(runs)]);
  const tasks = written
    .filter(({ change, release }) => release || isChange(change))
    .map(({ task, run, change, release }) => ({
      task_id: task.id,
      change: changeColumns(change),
      release,
      lease_owner: run.instanceId,
    }));
  if (tasks.length > 0) await tx.query(WRITE_TASKS, [JSON.stringify(tasks)]);
  const backlog = freedAt === null ? false : await hasBacklog(tx, freedAt);
  return results.map((result) => ({ ...result, backlog }));
}

async function hasBacklog(tx: Tx, now: Date): Promise<boolean> {
  const [row] = await tx.query<{ backlog: boolean }>(HAS_BACKLOG, [now]);
  return row?.backlog ?? false;
}

function openBooks(row: LockedRow): Books {
  return {
    task: {
      id: row.task_id,
      scheduleType: row.schedule_type as ScheduleType,
      status: row.task_status as TaskStatus,
      lastRunAt: row.last_run_at,
      lastRunId: row.last_run_id,
      deletedAt: row.deleted_at,
    },
    run: toRun(row),
    change: {},
    release: false,
  };
}

function changedTask(task: RecordedTask, change: ProgressChange): Partial<RecordedTask> {
  const { status = task.status, lastRunAt = task.lastRunAt, lastRunId = task.lastRunId } = change;
  return { status, lastRunAt, lastRunId };
}

/** Two events of one batch on the same run: later columns win, amounts add up. */
function merged(first: ProgressChange, second: ProgressChange): ProgressChange {
  const runCountBy = (first.runCountBy ?? 0) + (second.runCountBy ?? 0);
  const missedBy = (first.missedBy ?? 0) + (second.missedBy ?? 0);
  return {
    ...first,
    ...second,
    ...(runCountBy > 0 ? { runCountBy } : {}),
    ...(missedBy > 0 ? { missedBy } : {}),
  };
}
