// Outbound adapter. The books of dispatching: tables scheduled_task_runs and scheduled_task_states. The statements that
// race stand here in the order of the port's methods, each with the promise it keeps.
import { systemActor, type Owner } from '../../kernel/actor';
import { prefixedId, type Ids } from '../../kernel/ids';
import { MicroBatch } from '../../platform/persistence/micro-batch';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { sqlState } from '../../platform/persistence/sql-errors';
import { CorruptTaskError, TaskBusyDispatchingError } from '../domain/errors';
import { threadOf } from '../domain/launch-order';
import { rememberedOccurrences } from '../domain/occurrences';
import { RUN_ID_PREFIX, ScheduledRun } from '../domain/run';
import type { RunEvent } from '../domain/run-event';
import type {
  ActiveRun,
  Adoption,
  Backlog,
  ClaimedRound,
  ClaimedRun,
  ClaimOrder,
  DispatchLedger,
  ManualClaim,
  RecordedEvent,
} from '../ports/dispatch-ledger';
import { decideClaim } from './claim-decision';
import { APPLY_CHANGE } from './progress-change.row';
import { recordEvents } from './record-events';
import { RUN_COLUMNS, toRun, type RunRow } from './run.row';
import { TASK_COLUMNS, toTask, type TaskRow } from './task.row';

// Arbitrary, fixed for ever: all processes that share a database share one budget.
const BUDGET_LOCK = 7_301_148_921;

// Promise: the budget is exact. A statement of its own, before the count: a statement that both waited for the lock and
// counted would count what it saw before it waited.
const LOCK_BUDGET = `select pg_advisory_xact_lock(${BUDGET_LOCK})`;

const COUNT_PLACES = `select count(*)::integer as taken from scheduled_task_runs where status in ('queued', 'running')`;

// Promise: in order, no task twice, and a locked row is somebody else's. The array keeps the index plan: as a join, a plan
// made for few due rows would sort all of them.
const CLAIM_DUE = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = any (array(
     select d.task_id
       from scheduled_task_states d
      where d.next_run_at <= $1
        and d.status in ('enabled', 'running')
        and (d.lease_expires_at < horarium_now() or (d.status = 'enabled' and d.lease_expires_at is null))
      order by d.next_run_at, d.task_id
      limit $2
        for update skip locked))`;

// Promise: one run for each occurrence, one active run for each task, and losing the race reads like having seen the
// active run: queued or skipped is decided inside the one insert, whose task row this transaction holds.
// No part is joined with another: estimates are far below a batch, and a nested loop over two parts is its square.
const APPLY_CLAIM = `
  with decided as materialized (
    select d.*,
           d.may_queue and not exists (
             select from scheduled_task_runs a
              where a.task_id = d.task_id and a.status in ('waiting', 'queued', 'running')) as free
      from json_to_recordset($1::json) as d
        (run_id text, task_id text, tenant_id integer, user_id text, thread_id text, scheduled_for timestamptz,
         may_queue boolean, skip_reason text, skip_error text, if_queued jsonb, if_skipped jsonb)
  ), inserted as (
    insert into scheduled_task_runs
      (id, task_id, tenant_id, user_id, thread_id, instance_id, trigger, status, reason, error, scheduled_for,
       created_at, finished_at)
    select d.run_id, d.task_id, d.tenant_id, d.user_id, d.thread_id, $2, 'scheduled',
           case when d.free then 'queued' else 'skipped' end,
           case when not d.free then d.skip_reason end,
           case when not d.free then d.skip_error end,
           d.scheduled_for, $3::timestamptz, case when not d.free then $3::timestamptz end
      from decided d
    on conflict (task_id, scheduled_for) where trigger = 'scheduled' do nothing
    returning id, status
  ), placed as materialized (
    select d.task_id, d.if_queued, d.if_skipped,
           d.run_id in (select i.id from inserted i where i.status = 'queued') as queued
      from decided d
  ), changes as materialized (
    select task_id, queued, case when queued then if_queued else if_skipped end as change from placed
  ), moved as (
    update scheduled_task_states s
       set ${APPLY_CHANGE},
           lease_owner = case when c.queued then $2 end,
           lease_expires_at = case when c.queued then horarium_now() + make_interval(secs => $4) end
      from changes c
     where s.task_id = c.task_id
  )
  select id, status from inserted`;

// Promise: the same locks as a poller's, in the same order, so a trigger and a poller cannot both start the task.
const CLAIM_ONE = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = $1 and t.tenant_id = $2 and t.user_id = $3 and t.deleted_at is null
     for update of s`;

const INSERT_MANUAL = `
  insert into scheduled_task_runs
    (id, task_id, tenant_id, user_id, thread_id, instance_id, trigger, status, scheduled_for, created_at)
  select $1, $2, $3, $4, $5, $6, 'manual', 'queued', $7::timestamptz, $7::timestamptz
   where not exists (
     select from scheduled_task_runs a where a.task_id = $2 and a.status in ('waiting', 'queued', 'running'))
  returning id`;

// The lease keeps pollers off while the launch is under way; status and next_run_at are not touched, so that a failed
// launch by hand leaves no trace.
const LEASE_MANUAL = `
  update scheduled_task_states
     set lease_owner = $2, lease_expires_at = horarium_now() + make_interval(secs => $3), version = version + 1
   where task_id = $1`;

// Promise: a dead owner's run is launched by one process only.
const ADOPT = `
  update scheduled_task_runs r
     set instance_id = $2
   where r.id = any ($1) and r.status = 'queued'
     and (r.instance_id = $2
          or not exists (select from instances i where i.id = r.instance_id and ${alive('i')}))
  returning ${RUN_COLUMNS}`;

const TASKS_OF = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = any ($1)`;

const NEXT_DUE = `
  select next_run_at
    from scheduled_task_states
   where next_run_at is not null and status in ('enabled', 'running')
     and (lease_expires_at < horarium_now() or (status = 'enabled' and lease_expires_at is null))
   order by next_run_at, task_id
   limit 1`;

const ACTIVE_RUNS = `
  select ${RUN_COLUMNS}, exists (select from instances i where i.id = r.instance_id and ${alive('i')}) as owner_alive
    from scheduled_task_runs r
   where r.status in ('queued', 'running') and r.created_at < $1 and ($2::text is null or r.id > $2)
   order by r.id
   limit $3`;

const BACKLOG = `
  select (select count(*)::integer from scheduled_task_states
           where next_run_at <= $1 and status in ('enabled', 'running')) as due_tasks,
         (select min(next_run_at) from scheduled_task_states
           where next_run_at <= $1 and status in ('enabled', 'running')) as oldest_due_at,
         (select count(*)::integer from scheduled_task_runs where status in ('queued', 'running')) as active_runs,
         (select count(*)::integer from scheduled_task_states
           where status = 'enabled' and next_run_at is null) as tasks_without_next_run`;

/** A process gives signs of life: it has not stopped, and its heartbeat is not older than a silent one's may be. */
function alive(instance: 'i'): string {
  return `${instance}.stopped_at is null and ${instance}.heartbeat_at > horarium_now() - interval '60 seconds'`;
}

// A claimer that was stopped inside its transaction must not freeze the others for longer than this.
const CLAIM_SETTINGS = {
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '2s',
  // Walk the due index in order. Statistics say "few rows are due"; in a burst the planner would then collect and sort
  // every due row for each batch.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const LOCK_NOT_AVAILABLE = '55P03';

export class SqlDispatchLedger implements DispatchLedger {
  private readonly events = new MicroBatch<{ runId: string; event: RunEvent }, RecordedEvent>(
    (batch) => this.sessions.run(systemActor('dispatch: record'), (tx) => recordEvents(tx, batch)),
    { windowMs: 3, max: 1_000 },
  );

  constructor(
    private readonly sessions: Sessions,
    private readonly ids: Ids,
  ) {}

  async claimDue(order: ClaimOrder): Promise<ClaimedRound> {
    return this.sessions.run(
      systemActor('dispatch: claim'),
      async (tx) => {
        const free = await freePlaces(tx, order.budget);
        if (free === 0) return { ...NOTHING, full: true };
        const limit = Math.min(free, order.limit);
        const rows = await tx.query<TaskRow>(CLAIM_DUE, [order.now, limit]);
        const round = await this.apply(tx, order, inOrder(rows));
        return {
          ...round,
          full: round.claimed.length === free,
          more: rows.length === limit && round.claimed.length < free,
        };
      },
      { settings: CLAIM_SETTINGS },
    );
  }

  async claimManual(owner: Owner, taskId: string, order: Omit<ClaimOrder, 'limit'>): Promise<ManualClaim> {
    try {
      return await this.sessions.run(
        systemActor('dispatch: claim by hand'),
        (tx) => this.claimOne(tx, owner, taskId, order),
        { settings: CLAIM_SETTINGS },
      );
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE) throw new TaskBusyDispatchingError(taskId);
      throw error;
    }
  }

  async adopt(runIds: readonly string[], instanceId: string): Promise<Adoption> {
    return this.sessions.run(systemActor('dispatch: adopt'), async (tx) => {
      const runs = (await tx.query<RunRow>(ADOPT, [runIds, instanceId])).map(toRun);
      const tasks = await tx.query<TaskRow>(TASKS_OF, [runs.map(({ taskId }) => taskId)]);
      return adoption(runs, new Map(tasks.map((row) => [row.id, row])));
    });
  }

  record(runId: string, event: RunEvent): Promise<RecordedEvent> {
    return this.events.add({ runId, event });
  }

  async nextDueAt(): Promise<Date | null> {
    const [row] = await this.sessions.run(
      systemActor('dispatch: next due'),
      (tx) => tx.query<{ next_run_at: Date }>(NEXT_DUE),
      { settings: { enable_seqscan: 'off', enable_bitmapscan: 'off' } },
    );
    return row?.next_run_at ?? null;
  }

  async activeRuns(before: Date, afterId: string | null, limit: number): Promise<ActiveRun[]> {
    const rows = await this.sessions.run(systemActor('dispatch: active runs'), (tx) =>
      tx.query<RunRow & { owner_alive: boolean }>(ACTIVE_RUNS, [before, afterId, limit]),
    );
    return rows.map((row) => ({ run: toRun(row), ownerAlive: row.owner_alive }));
  }

  async backlog(now: Date): Promise<Backlog> {
    const [row] = await this.sessions.run(systemActor('dispatch: backlog'), (tx) =>
      tx.query<BacklogRow>(BACKLOG, [now]),
    );
    return {
      dueTasks: row?.due_tasks ?? 0,
      oldestDueAt: row?.oldest_due_at ?? null,
      activeRuns: row?.active_runs ?? 0,
      tasksWithoutNextRun: row?.tasks_without_next_run ?? 0,
    };
  }

  drain(): Promise<void> {
    return this.events.drain();
  }

  private async apply(tx: Tx, order: ClaimOrder, rows: readonly TaskRow[]): Promise<ClaimedRound> {
    if (rows.length === 0) return NOTHING;
    // A memory for this batch alone: many tasks share expression, zone and minute.
    const occurrences = rememberedOccurrences();
    const decisions = rows.map((row) => decideClaim(row, order.now, order.instanceId, this.ids, occurrences));
    const inserted = await tx.query<{ id: string; status: string }>(APPLY_CLAIM, [
      JSON.stringify(decisions.map(({ row }) => row)),
      order.instanceId,
      order.now,
      order.leaseSeconds,
    ]);
    const statusOf = new Map(inserted.map(({ id, status }) => [id, status]));
    return {
      ...NOTHING,
      claimed: decisions.flatMap(({ task, run }) =>
        task !== null && statusOf.get(run.id) === 'queued' ? [{ task, run }] : [],
      ),
      skipped: inserted.filter(({ status }) => status === 'skipped').length,
      missed: decisions.reduce((sum, { missed }) => sum + missed, 0),
      corrupt: decisions.flatMap(({ task, run }) => (task === null ? [run.taskId] : [])),
    };
  }

  private async claimOne(
    tx: Tx,
    owner: Owner,
    taskId: string,
    { now, instanceId, leaseSeconds, budget }: Omit<ClaimOrder, 'limit'>,
  ): Promise<ManualClaim> {
    const free = await freePlaces(tx, budget);
    const [row] = await tx.query<TaskRow>(CLAIM_ONE, [taskId, owner.tenantId, owner.userId]);
    if (row === undefined) return { outcome: 'absent' };
    const task = toTask(row);
    const run = ScheduledRun.queued({
      id: prefixedId(RUN_ID_PREFIX, this.ids),
      taskId,
      owner,
      threadId: threadOf(task.rule, this.ids.uuid()),
      scheduledFor: now,
      trigger: 'manual',
      instanceId,
      createdAt: now,
    });
    const values = [run.id, taskId, owner.tenantId, owner.userId, run.threadId, instanceId, now];
    const inserted = free === 0 ? [] : await tx.query(INSERT_MANUAL, values);
    if (inserted.length === 0) return { outcome: (await hasActiveRun(tx, taskId)) ? 'active-run' : 'budget-full' };
    await tx.query(LEASE_MANUAL, [taskId, instanceId, leaseSeconds]);
    return { outcome: 'claimed', task, run };
  }
}

interface BacklogRow {
  readonly due_tasks: number;
  readonly oldest_due_at: Date | null;
  readonly active_runs: number;
  readonly tasks_without_next_run: number;
}

const NOTHING: ClaimedRound = { claimed: [], skipped: 0, missed: 0, corrupt: [], full: false, more: false };

async function freePlaces(tx: Tx, budget: number): Promise<number> {
  await tx.query(LOCK_BUDGET);
  const [count] = await tx.query<{ taken: number }>(COUNT_PLACES);
  return Math.max(0, budget - (count?.taken ?? 0));
}

async function hasActiveRun(tx: Tx, taskId: string): Promise<boolean> {
  const rows = await tx.query(
    `select from scheduled_task_runs where task_id = $1 and status in ('waiting', 'queued', 'running') limit 1`,
    [taskId],
  );
  return rows.length > 0;
}

/** The statement picks in order, but answers in any. */
function inOrder(rows: readonly TaskRow[]): TaskRow[] {
  const at = (row: TaskRow): number => row.next_run_at?.getTime() ?? 0;
  return [...rows].sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1));
}

function adoption(runs: readonly ScheduledRun[], tasks: ReadonlyMap<string, TaskRow>): Adoption {
  const claimed: ClaimedRun[] = [];
  const unreadable: { runId: string; error: string }[] = [];
  for (const run of runs) {
    const row = tasks.get(run.taskId);
    try {
      if (row !== undefined) claimed.push({ task: toTask(row), run });
    } catch (error) {
      if (!(error instanceof CorruptTaskError)) throw error;
      unreadable.push({ runId: run.id, error: error.message });
    }
  }
  return { claimed, unreadable };
}
