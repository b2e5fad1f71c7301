// Outbound. Writes a batch of run events: lock, read, ask the domain, write. Four statements for any number
// of events.
import { isChange, mergedChange } from '../domain/task-progress';
import { applyEvent, columnsOf, type RunEvent } from '../domain/run-event';
import { hasEnded } from '../domain/run-status';
import { kindOf } from '../domain/dispatch';
import type { RecordedTask } from '../domain/record';
import type { ScheduledRun } from '../domain/run';
import type { OverlapPolicy } from '../domain/task-rule';
import type { ScheduleType } from '../domain/schedule-spec';
import type { TaskStatus } from '../domain/status';
import type { ProgressChange } from '../domain/task-progress';
import { appendEvents, type NewEvent } from '../../platform/outbox';
import type { Tx } from '../../platform/persistence/sessions';
import type { RecordedEvent } from '../ports/dispatch-ledger';
import { APPLY_CHANGE, changeColumns } from './progress-change.row';
import { factsOf } from './run-facts';
import { runChange, RUN_COLUMNS, toRun, type RunRow } from './run.row';

interface BookRow extends RunRow {
  readonly task_status: string;
  readonly schedule_type: string;
  readonly last_run_at: Date | null;
  readonly last_run_id: string | null;
  readonly deleted_at: Date | null;
  readonly overdue: boolean | null;
  readonly failures_in_a_row: number;
  readonly title: string;
  readonly overlap_policy: string;
  readonly recurring: boolean;
  readonly waiting_run: string | null;
}

// Promise: an event is judged against what is stored now. The tasks' rows are locked, in the order of ids so that two
// batches never wait for each other in a circle; the runs' rows too, for whoever adopts one.
const LOCK_BOOKS = `
  select r.id
    from scheduled_task_runs r
    join scheduled_task_states s on s.task_id = r.task_id
   where r.id = any ($1)
   order by r.task_id
     for update of s, r`;

// A statement of its own, after the locks: one that waited would see the locked rows as they are by now, and the rule
// beside them (is the task deleted?) as it was before the wait.
const READ_BOOKS = `
  select ${RUN_COLUMNS}, s.status as task_status, s.last_run_at, s.last_run_id, s.failures_in_a_row, t.schedule_type,
         t.deleted_at, t.title, t.overlap_policy, t.recurring, s.next_run_at <= horarium_now() as overdue,
         (select w.id from scheduled_task_runs w where w.task_id = r.task_id and w.status = 'waiting') as waiting_run
    from scheduled_task_runs r
    join scheduled_task_states s on s.task_id = r.task_id
    join scheduled_tasks t on t.id = r.task_id
   where r.id = any ($1)`;

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
         lease_owner = case when s.lease_owner = any (c.released) then null else s.lease_owner end,
         lease_expires_at = case when s.lease_owner = any (c.released) then null else s.lease_expires_at end
    from json_to_recordset($1::json) as c (task_id text, change jsonb, released text[])
   where s.task_id = c.task_id`;

// A task that fires once is gone when its run was delivered, never before; softly, as by its owner's DELETE.
const REMOVE_TASKS = `
  update scheduled_tasks t
     set deleted_at = d.at, updated_at = d.at
    from json_to_recordset($1::json) as d (id text, at timestamptz)
   where t.id = d.id and t.deleted_at is null`;

interface TaskBook {
  readonly id: string;
  task: RecordedTask;
  change: ProgressChange;
  readonly overdue: boolean;
  readonly title: string;
  readonly storedStreak: number;
  streak: number;
  /** The run that waits, if there is one. */
  waitingRun: string | null;
  /** It has fired its one time and is to be deleted, now. */
  deliveredAt: Date | null;
  readonly recurring: boolean;
  /** Who gives a lease back, if it is still theirs. */
  readonly released: string[];
}

export interface RecordedBatch {
  readonly results: readonly Omit<RecordedEvent, 'backlog' | 'waiting'>[];
  /** When this is committed, a place is free, a run waits whose thread may be idle by now, or a task is given back that came due while it was being launched. */
  readonly wanted: boolean;
}

export async function recordEvents(
  tx: Tx,
  events: readonly { readonly runId: string; readonly event: RunEvent }[],
): Promise<RecordedBatch> {
  const runIds = [...new Set(events.map(({ runId }) => runId))];
  await tx.query(LOCK_BOOKS, [runIds]);
  const rows = await tx.query<BookRow>(READ_BOOKS, [runIds]);
  const runs = new Map(rows.map((row) => [row.id, toRun(row)]));
  // By task: two runs of one task may come in one batch, and a statement writes a row only once.
  const tasks = new Map(rows.map((row) => [row.task_id, openBook(row)]));
  const changedRuns = new Set<string>();
  const facts: NewEvent[] = [];
  let wanted = false;
  const results = events.map(({ runId, event }) => {
    const before = runs.get(runId);
    const book = before === undefined ? undefined : tasks.get(before.taskId);
    if (before === undefined || book === undefined) return { run: null, changed: false };
    const hasWaiting = book.waitingRun !== null && book.waitingRun !== runId;
    const { run, change } = applyEvent({ ...book.task, hasWaiting }, before, event);
    runs.set(runId, run);
    book.task = { ...book.task, ...columnsOf(change) };
    book.change = mergedChange(book.change, change);
    // The launch is over, however it went. A repetition must not take the lease of a later round.
    const over = before.status === 'queued' && run.status !== 'queued';
    if (over && run.instanceId !== null) book.released.push(run.instanceId);
    if (run !== before) {
      changedRuns.add(runId);
      const ended = factsOf(before, run, book.title, book.streak);
      facts.push(...ended.facts);
      book.streak = ended.streak;
    }
    if (run.status === 'waiting') book.waitingRun = runId;
    if (!book.recurring && wasDelivered(before, run)) book.deliveredAt = run.finishedAt;
    wanted ||=
      (!hasEnded(before.status) && hasEnded(run.status)) || (over && (book.overdue || run.status === 'waiting'));
    return { run, changed: run !== before };
  });

  const written = [...runs.values()].filter(({ id }) => changedRuns.has(id)).map(runChange);
  if (written.length > 0) await tx.query(WRITE_RUNS, [JSON.stringify(written)]);
  const changes = [...tasks.values()]
    .filter((book) => book.released.length > 0 || isChange(book.change) || book.streak !== book.storedStreak)
    .map(({ id, change, released, streak, storedStreak }) => ({
      task_id: id,
      change: { ...changeColumns(change), ...(streak === storedStreak ? {} : { failures_in_a_row: streak }) },
      released,
    }));
  if (changes.length > 0) await tx.query(WRITE_TASKS, [JSON.stringify(changes)]);
  await appendEvents(tx, facts);
  const delivered = [...tasks.values()].filter(({ deliveredAt }) => deliveredAt !== null);
  if (delivered.length > 0) {
    await tx.query(REMOVE_TASKS, [JSON.stringify(delivered.map(({ id, deliveredAt }) => ({ id, at: deliveredAt })))]);
  }
  return { results, wanted };
}

/** Its run has started and is over. One that never started delivered nothing, and its task stays. */
function wasDelivered(before: ScheduledRun, run: ScheduledRun): boolean {
  return !hasEnded(before.status) && hasEnded(run.status) && run.startedAt !== null;
}

function openBook(row: BookRow): TaskBook {
  return {
    id: row.task_id,
    task: {
      scheduleType: kindOf(row.schedule_type as ScheduleType, row.recurring),
      status: row.task_status as TaskStatus,
      lastRunAt: row.last_run_at,
      lastRunId: row.last_run_id,
      deletedAt: row.deleted_at,
      overlapPolicy: row.overlap_policy as OverlapPolicy,
    },
    change: {},
    overdue: row.overdue ?? false,
    title: row.title,
    storedStreak: row.failures_in_a_row,
    streak: row.failures_in_a_row,
    waitingRun: row.waiting_run,
    deliveredAt: null,
    recurring: row.recurring,
    released: [],
  };
}
