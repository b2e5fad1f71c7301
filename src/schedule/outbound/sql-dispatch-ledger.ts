// Outbound adapter. The books of dispatching: tables scheduled_task_runs and scheduled_task_states. The statements that
// race stand here in the order of the port's methods, each with the promise it keeps; those of the two methods on the hot
// path are in claim-due.ts and record-events.ts.
import { systemActor, type Owner } from '../../kernel/actor';
import { prefixedId, type Ids } from '../../kernel/ids';
import { MicroBatch } from '../../platform/persistence/micro-batch';
import { WALK_INDEXES } from '../../platform/persistence/planner-settings';
import { IN_TIME_MS, type Sessions, type Tx } from '../../platform/persistence/sessions';
import { sqlState } from '../../platform/persistence/sql-errors';
import { CorruptTaskError, TaskBusyDispatchingError } from '../domain/errors';
import { threadOf } from '../domain/launch-order';
import { RUN_ID_PREFIX, ScheduledRun } from '../domain/run';
import type { RunEvent } from '../domain/run-event';
import type {
  ActiveRun,
  Adoption,
  Backlog,
  ClaimedRound,
  ClaimedRun,
  ClaimOrder,
  Confirmation,
  DispatchLedger,
  ManualClaim,
  NextDue,
  RecordedEvent,
  WaitingRun,
} from '../ports/dispatch-ledger';
import { HOLDS_PLACE, hasActiveRun } from './active-run';
import { CONFIRM, GIVE_BACK, NEXT_DUE } from './look-ahead';
import { CLAIM_SETTINGS, CLAIMABLE, claimDue, freePlaces } from './claim-due';
import { POLLER } from './channel-poller-wake';
import { recordEvents } from './record-events';
import { joinQueue, promote, waitingRuns } from './waiting-runs';
import { RUN_COLUMNS, toRun, type RunRow } from './run.row';
import { TASK_COLUMNS, toTask, type TaskRow } from './task.row';
import { LOCK_TASKS_OF, TASKS_OF } from './tasks-of-runs';

// Promise: the same locks as a poller's, in the same order, so a trigger and a poller cannot both start the task.
const LOCK_ONE = `
  select task_id from scheduled_task_states where task_id = $1 and tenant_id = $2 and user_id = $3 for update`;

// A statement of its own: the one that waited for the lock would see the rule as it was before the wait, and start a
// task that has been deleted or edited meanwhile.
const READ_ONE = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = $1 and t.deleted_at is null`;

const INSERT_MANUAL = `
  insert into scheduled_task_runs
    (id, task_id, tenant_id, user_id, thread_id, instance_id, trigger, status, scheduled_for, created_at)
  select $1, $2, $3, $4, $5, $6, 'manual', 'queued', $7::timestamptz, $7::timestamptz
   where not ${hasActiveRun('$2')}
  returning id`;

const IS_ACTIVE = `select where ${hasActiveRun('$1')}`;

// The lease keeps pollers off while the launch is under way; status and next_run_at are not touched, so that a failed
// launch by hand leaves no trace.
const LEASE_MANUAL = `
  update scheduled_task_states
     set lease_owner = $2, lease_expires_at = horarium_now() + make_interval(secs => $3), version = version + 1
   where task_id = $1`;

// Promise: a dead owner's run is launched by one process only. Its lease goes with it: the record
// of the launch gives back the lease of the run's owner, and of nobody else.
const ADOPT = `
  with adopted as (
    update scheduled_task_runs r
       set instance_id = $2
      from scheduled_task_runs before
     where r.id = any ($1) and before.id = r.id and r.status = 'queued'
       and (r.instance_id = $2
            or not horarium_alive(r.instance_id))
    returning ${RUN_COLUMNS}, before.instance_id as former
  ), leased as (
    update scheduled_task_states s
       set lease_owner = $2, version = version + 1
      from adopted a
     where s.task_id = a.task_id and s.lease_owner = a.former
  )
  select * from adopted`;

const WANTED = `
  select exists (select from scheduled_task_states where next_run_at <= horarium_now() and ${CLAIMABLE}) as backlog,
         exists (select from scheduled_task_runs where status = 'waiting') as waiting`;

// Materialized: the order could be had by walking the index of all runs there ever were.
const ACTIVE_RUNS = `
  with active as materialized (
    select * from scheduled_task_runs where ${HOLDS_PLACE} and created_at < $1 and ($2::text is null or id > $2)
  )
  select ${RUN_COLUMNS}, horarium_alive(r.instance_id) as owner_alive
    from active r
   order by r.id
   limit $3`;

const BACKLOG = `
  select (select count(*)::integer from scheduled_task_states
           where next_run_at <= $1 and status in ('enabled', 'running')) as due_tasks,
         (select min(next_run_at) from scheduled_task_states
           where next_run_at <= $1 and status in ('enabled', 'running')) as oldest_due_at,
         (select count(*)::integer from scheduled_task_runs where ${HOLDS_PLACE}) as active_runs,
         (select count(*)::integer from scheduled_task_states
           where status = 'enabled' and next_run_at is null) as tasks_without_next_run`;

/** Walk the due index in order, whatever the statistics say. */
export const WALK = { settings: WALK_INDEXES };

const NOBODY = { backlog: false, waiting: false };

const LOCK_NOT_AVAILABLE = '55P03';

export class SqlDispatchLedger implements DispatchLedger {
  private readonly events = new MicroBatch<{ runId: string; event: RunEvent }, RecordedEvent>(
    (batch) => this.writeEvents(batch),
    { windowMs: 0, max: 1_000 },
  );

  private readonly confirmations = new MicroBatch<string, Confirmation>((runIds) => this.askAbout(runIds), {
    windowMs: 0,
    max: 1_000,
  });

  constructor(
    private readonly sessions: Sessions,
    private readonly ids: Ids,
  ) {}

  async claimDue(order: ClaimOrder): Promise<ClaimedRound> {
    return this.sessions.run(systemActor('dispatch: claim'), (tx) => claimDue(tx, order, this.ids), {
      settings: CLAIM_SETTINGS,
      precedence: 'urgent',
      answerWithinMs: IN_TIME_MS,
    });
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

  waitingRuns(limit: number): Promise<WaitingRun[]> {
    return this.sessions.run(systemActor('dispatch: who waits'), (tx) => waitingRuns(tx, limit));
  }

  promote(runIds: readonly string[], order: Omit<ClaimOrder, 'limit' | 'attention'>): Promise<ClaimedRun[]> {
    return this.sessions.run(systemActor('dispatch: promote'), (tx) => promote(tx, runIds, order), {
      settings: CLAIM_SETTINGS,
    });
  }

  async adopt(runIds: readonly string[], instanceId: string): Promise<Adoption> {
    return this.sessions.run(systemActor('dispatch: adopt'), async (tx) => {
      await tx.query(LOCK_TASKS_OF, [runIds]);
      const runs = (await tx.query<RunRow>(ADOPT, [runIds, instanceId])).map(toRun);
      const tasks = await tx.query<TaskRow>(TASKS_OF, [runs.map(({ taskId }) => taskId)]);
      return adoption(runs, new Map(tasks.map((row) => [row.id, row])));
    });
  }

  record(runId: string, event: RunEvent): Promise<RecordedEvent> {
    return this.events.add({ runId, event });
  }

  confirm(runId: string): Promise<Confirmation> {
    return this.confirmations.add(runId);
  }

  async giveBack(runIds: readonly string[]): Promise<void> {
    await this.sessions.run(systemActor('dispatch: give back'), async (tx) => {
      await tx.query(LOCK_TASKS_OF, [runIds]);
      await tx.query(GIVE_BACK, [runIds]);
      tx.wakeAfterCommit(POLLER);
    });
  }

  async nextDue(horizon: Date): Promise<NextDue> {
    const [row] = await this.sessions.ask<{ earliest: Date | null; earliest_idle: Date | null }>(
      systemActor('dispatch: next due'),
      NEXT_DUE,
      [horizon],
      WALK,
    );
    return { earliest: row?.earliest ?? null, earliestIdle: row?.earliest_idle ?? null };
  }

  async activeRuns(before: Date, afterId: string | null, limit: number): Promise<ActiveRun[]> {
    const rows = await this.sessions.ask<RunRow & { owner_alive: boolean }>(
      systemActor('dispatch: active runs'),
      ACTIVE_RUNS,
      [before, afterId, limit],
      { precedence: 'patient' },
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

  private async writeEvents(batch: readonly { runId: string; event: RunEvent }[]): Promise<RecordedEvent[]> {
    const { results, wanted } = await this.sessions.run(
      systemActor('dispatch: record'),
      (tx) => recordEvents(tx, batch),
      { precedence: 'patient', answerWithinMs: IN_TIME_MS },
    );
    // After the commit: a poller that found no place a moment ago went to sleep over a task this one must see, or it
    // saw the place. Asked inside the transaction, both could miss each other.
    const { backlog, waiting } = wanted ? await this.whoIsServed() : NOBODY;
    return results.map((result) => ({ ...result, backlog, waiting }));
  }

  private async askAbout(runIds: readonly string[]): Promise<Confirmation[]> {
    const rows = await this.sessions.run(
      systemActor('dispatch: confirm'),
      (tx) => tx.query<{ id: string; closed: boolean }>(CONFIRM, [runIds]),
      { answerWithinMs: IN_TIME_MS },
    );
    const closed = new Map(rows.map((row) => [row.id, row.closed]));
    return runIds.map((id) => (closed.has(id) ? (closed.get(id) === true ? 'kept' : 'open') : 'gone'));
  }

  private async whoIsServed(): Promise<{ backlog: boolean; waiting: boolean }> {
    try {
      const actor = systemActor('dispatch: backlog');
      const [row] = await this.sessions.run(actor, (tx) => tx.query<typeof NOBODY>(WANTED), WALK);
      return row ?? NOBODY;
    } catch {
      // The events are written. A wake too many does no harm.
      return { backlog: true, waiting: true };
    }
  }

  private async claimOne(
    tx: Tx,
    owner: Owner,
    taskId: string,
    { now, instanceId, leaseSeconds, budget }: Omit<ClaimOrder, 'limit'>,
  ): Promise<ManualClaim> {
    const free = await freePlaces(tx, budget);
    const locked = await tx.query(LOCK_ONE, [taskId, owner.tenantId, owner.userId]);
    const [row] = locked.length === 0 ? [] : await tx.query<TaskRow>(READ_ONE, [taskId]);
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
    if (task.overlapPolicy === 'queue') {
      const waiting = await joinQueue(tx, run);
      if (waiting !== null) return { outcome: 'waiting', run: waiting };
    }
    const values = [run.id, taskId, owner.tenantId, owner.userId, run.threadId, instanceId, now];
    const inserted = free === 0 ? [] : await tx.query(INSERT_MANUAL, values);
    if (inserted.length === 0)
      return { outcome: (await tx.query(IS_ACTIVE, [taskId])).length > 0 ? 'active-run' : 'budget-full' };
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
