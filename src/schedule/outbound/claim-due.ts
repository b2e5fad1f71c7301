// Outbound. The claim of what is due: budget, rows, runs, next instants, in one transaction and a constant number of
// statements for any number of tasks. What is decided for each row is the domain's, see claim-decision.ts.
import type { Ids } from '../../kernel/ids';
import type { Tx } from '../../platform/persistence/sessions';
import { rememberedOccurrences } from '../domain/occurrences';
import type { ClaimedRound, ClaimOrder } from '../ports/dispatch-ledger';
import type { RunStatus } from '../domain/run-status';
import { HOLDS_PLACE, hasActiveRun, hasOpenRun, hasWaitingRun } from './active-run';
import { decideClaim, type ClaimDecision } from './claim-decision';
import { APPLY_CHANGE, changeColumns } from './progress-change.row';
import { TASK_COLUMNS, type TaskRow } from './task.row';

// Arbitrary, fixed for ever: all processes that share a database share one budget.
const BUDGET_LOCK = 7_301_148_921;

// Promise: the budget is exact. A statement of its own, before the count: a statement that both waited for the lock and
// counted would count what it saw before it waited.
const LOCK_BUDGET = `select pg_advisory_xact_lock(${BUDGET_LOCK})`;

const COUNT_PLACES = `select count(*)::integer as taken from scheduled_task_runs where ${HOLDS_PLACE}`;

/** Nobody has it, or whoever had it left it in the middle of a round. A launched once task runs without a lease. */
export const CLAIMABLE = `status in ('enabled', 'running')
     and (lease_expires_at < horarium_now() or (status = 'enabled' and lease_expires_at is null))`;

export const LEASED = `status in ('enabled', 'running') and lease_expires_at is not null`;

// Promise: in order, no task twice, and a locked row is somebody else's. Up to the horizon ($1) what is not due yet ($3)
// is taken only while its last run is over. The array keeps the index plan: as a join, a plan
// made for few due rows would sort all of them.
export const CLAIM_DUE = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = any (array(
     select task_id
       from scheduled_task_states d
      where next_run_at <= $1 and ${CLAIMABLE}
        and (next_run_at <= $3 or not ${hasOpenRun('d.task_id')})
      order by next_run_at, task_id
      limit $2
        for update skip locked))`;

// Promise: one run for each occurrence, one active run for each task and one that waits, and losing the race reads like
// having seen the active run: queued, waiting or skipped is decided inside the one insert, whose task row this transaction
// holds. Whoever queues is asked whether somebody waits for the same conversation: those were there first.
// No part is joined with another (`born` is asked for, not joined): estimates are far below a batch, and a nested loop
// over two parts is its square.
const APPLY_CLAIM = `
  with decided as materialized (
    select d.*,
           case when not d.may_queue then 'skipped'
                when d.may_wait and ${hasWaitingRun('d.task_id')} then 'skipped'
                when d.may_wait and exists (
                  select from scheduled_task_runs w where w.thread_id = d.thread_id and w.status = 'waiting')
                  then 'waiting'
                when not ${hasActiveRun('d.task_id')} then 'queued'
                when d.may_wait then 'waiting'
                else 'skipped' end as status
      from json_to_recordset($1::json) as d
        (run_id text, task_id text, tenant_id integer, user_id text, thread_id text, scheduled_for timestamptz,
         late_reason text, may_queue boolean, may_wait boolean, skip_reason text, skip_error text, if_queued jsonb,
         if_waiting jsonb, if_skipped jsonb)
  ), inserted as (
    insert into scheduled_task_runs
      (id, task_id, tenant_id, user_id, thread_id, instance_id, trigger, status, reason, error, late_reason,
       scheduled_for, created_at, finished_at)
    select d.run_id, d.task_id, d.tenant_id, d.user_id, d.thread_id, $2, 'scheduled',
           d.status, case when d.status = 'skipped' then d.skip_reason end,
           case when d.status = 'skipped' then d.skip_error end, case when d.status <> 'waiting' then d.late_reason end,
           d.scheduled_for, $3::timestamptz, case when d.status = 'skipped' then $3::timestamptz end
      from decided d
     where d.status = 'queued' or d.scheduled_for <= $3::timestamptz
    on conflict (task_id, scheduled_for) where trigger = 'scheduled' do nothing
    returning id, status
  ), changes as materialized (
    select d.task_id, d.status = 'queued' as queued,
           case d.status when 'queued' then d.if_queued when 'waiting' then d.if_waiting else d.if_skipped end as change,
           d.run_id in (select i.id from inserted i) as born
      from decided d
  ), moved as (
    update scheduled_task_states s
       set ${APPLY_CHANGE},
           lease_owner = case when c.queued then $2 end,
           lease_expires_at = case when c.queued then horarium_now() + make_interval(secs => $4) end
      from changes c
     where s.task_id = c.task_id and c.born
  )
  select id, status from inserted`;

// Promise: an occurrence that has its run gets no second one, and that run is not touched. Nothing in the house leads
// here, since run and next_run_at are written together; a restored table may.
const RUNS_OF_OCCURRENCES = `
  select r.task_id, r.status
    from scheduled_task_runs r
    join json_to_recordset($1::json) as o (task_id text, scheduled_for timestamptz)
      on o.task_id = r.task_id and o.scheduled_for = r.scheduled_for
   where r.trigger = 'scheduled'`;

const MOVE_ON = `
  update scheduled_task_states s
     set ${APPLY_CHANGE}, lease_owner = null, lease_expires_at = null
    from json_to_recordset($1::json) as c (task_id text, change jsonb)
   where s.task_id = c.task_id`;

// A claimer that was stopped inside its transaction must not freeze the others for longer than this.
export const CLAIM_SETTINGS = {
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '2s',
  // Walk the due index in order. Statistics say "few rows are due"; in a burst the planner would then collect and sort
  // every due row for each batch.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const NOTHING: ClaimedRound = { claimed: [], skipped: 0, waiting: 0, missed: 0, corrupt: [], full: false, more: false };

export async function claimDue(tx: Tx, order: ClaimOrder, ids: Ids): Promise<ClaimedRound> {
  const free = await freePlaces(tx, order.budget);
  if (free === 0) return { ...NOTHING, full: true };
  const limit = Math.min(free, order.limit);
  const rows = await tx.query<TaskRow>(CLAIM_DUE, [order.horizon ?? order.now, limit, order.now]);
  const { moved, ...round } = await apply(tx, order, inOrder(rows), ids);
  return {
    ...round,
    full: round.claimed.length === free,
    // What could not be had ahead stays as it is, and would be found again at once, for ever.
    more: rows.length === limit && round.claimed.length < free && moved > 0,
  };
}

export async function freePlaces(tx: Tx, budget: number): Promise<number> {
  await tx.query(LOCK_BUDGET);
  const [count] = await tx.query<{ taken: number }>(COUNT_PLACES);
  return Math.max(0, budget - (count?.taken ?? 0));
}

type Applied = ClaimedRound & { readonly moved: number };

async function apply(tx: Tx, order: ClaimOrder, rows: readonly TaskRow[], ids: Ids): Promise<Applied> {
  if (rows.length === 0) return { ...NOTHING, moved: 0 };
  // A memory for this batch alone: many tasks share expression, zone and minute.
  const occurrences = rememberedOccurrences();
  const decisions = rows.map((row) => decideClaim(row, order, ids, occurrences));
  const inserted = await tx.query<{ id: string; status: string }>(APPLY_CLAIM, [
    JSON.stringify(decisions.map(({ row }) => row)),
    order.instanceId,
    order.now,
    order.leaseSeconds,
  ]);
  const statusOf = new Map(inserted.map(({ id, status }) => [id, status]));
  const unborn = decisions.filter(({ run }) => !statusOf.has(run.id));
  const adopted = unborn.length === 0 ? 0 : await adoptOccurrences(tx, unborn);
  return {
    ...NOTHING,
    claimed: decisions.flatMap(({ task, run }) =>
      task !== null && statusOf.get(run.id) === 'queued' ? [{ task, run }] : [],
    ),
    skipped: inserted.filter(({ status }) => status === 'skipped').length,
    waiting: inserted.filter(({ status }) => status === 'waiting').length,
    missed: decisions.reduce((sum, { missed }) => sum + missed, 0),
    corrupt: decisions.flatMap(({ task, run }) => (task === null && run.scheduledFor <= order.now ? [run.taskId] : [])),
    moved: inserted.length + adopted,
  };
}

async function adoptOccurrences(tx: Tx, decisions: readonly ClaimDecision[]): Promise<number> {
  const occurrences = decisions.map(({ run }) => ({ task_id: run.taskId, scheduled_for: run.scheduledFor }));
  const runs = await tx.query<{ task_id: string; status: RunStatus }>(RUNS_OF_OCCURRENCES, [
    JSON.stringify(occurrences),
  ]);
  const decided = new Map(decisions.map((decision) => [decision.run.taskId, decision]));
  const changes = runs.map(({ task_id, status }) => ({
    task_id,
    change: changeColumns(decided.get(task_id)?.ifAdopted(status) ?? {}),
  }));
  await tx.query(MOVE_ON, [JSON.stringify(changes)]);
  return changes.length;
}

/** The statement picks in order, but answers in any. */
function inOrder(rows: readonly TaskRow[]): TaskRow[] {
  const at = (row: TaskRow): number => row.next_run_at?.getTime() ?? 0;
  return [...rows].sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1));
}
