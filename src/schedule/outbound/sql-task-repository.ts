// Outbound adapter. Tasks for the people who own them: tables scheduled_tasks and scheduled_task_states.
// What a firing writes is in sql-dispatch-ledger.ts.
import { Logger } from '@nestjs/common';
import type { Actor, SystemActor } from '../../kernel/actor';
import { appendEvents, appendingOne, type NewEvent, valuesOf } from '../../platform/outbox';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { CorruptTaskError } from '../domain/errors';
import type { StoredTask } from '../domain/stored-task';
import type { ScheduledTask } from '../domain/task';
import type { UnreadableTask } from '../domain/unreadable-task';
import type { PageRequest, TaskFilter } from '../domain/listing';
import type { TaskForEdit, TaskRepository } from '../ports/task-repository';
import { LOCK_CLAIM, OPEN_CLAIM, TAKE_BACK } from './look-ahead';
import { taskFact } from './task-facts';
import { ruleValues, TASK_COLUMNS, toStored, toTask, type TaskRow } from './task.row';
import { rebindWaiting, withdrawWaiting } from './waiting-runs';

const ADD = `
  with rule as (
    insert into scheduled_tasks
      (id, tenant_id, user_id, created_at, title, prompt, assistant_id, context_mode, thread_id, working_folder,
       schedule_type, schedule_spec, timezone, overlap_policy, misfire_grace_seconds, queue_timeout_seconds, recurring,
       session_id, updated_at, deleted_at)
    values ($1, $2, $3, $4, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
  ), told as (${appendingOne(23)}
  )
  insert into scheduled_task_states (task_id, tenant_id, user_id, status, next_run_at) values ($1, $2, $3, $5, $6)`;

const FIND = `
  select ${TASK_COLUMNS}
    from scheduled_tasks t join scheduled_task_states s on s.task_id = t.id
   where t.id = $1 and t.deleted_at is null
     and ($2::integer is null or (t.tenant_id = $2 and t.user_id = $3))`;

const FIND_FOR_EDIT = `
  select ${TASK_COLUMNS}, ahead.id as open_claim, ahead.scheduled_for as claimed_for
    from scheduled_tasks t join scheduled_task_states s on s.task_id = t.id ${OPEN_CLAIM}
   where t.id = $1 and t.deleted_at is null
     and ($2::integer is null or (t.tenant_id = $2 and t.user_id = $3))`;

// The text search reads the owner's own slice: under a row-level policy no index may serve it (neither ilike nor any
// JSON operator is leakproof), and a slice of ten thousand rows is read in milliseconds.
const RULES_OF_USER = `
  from scheduled_tasks t
   where t.tenant_id = $1 and t.user_id = $2 and t.deleted_at is null
     and ($3::text is null or t.schedule_type = $3)
     and ($4::text is null or t.assistant_id = $4)
     and ($5::text is null or t.thread_id = $5)
     and ($6::text is null or t.title ilike $6 or t.prompt ilike $6)
     and ($7::timestamptz is null or (t.created_at, t.id) < ($7, $8))`;

// The page is cut before progress is looked up: the states of nine thousand tasks that are passed over are not read.
const LIST = `
  select ${TASK_COLUMNS}
    from (select t.* ${RULES_OF_USER} order by t.created_at desc, t.id desc limit $9 offset $10) t
    join scheduled_task_states s on s.task_id = t.id
   order by t.created_at desc, t.id desc`;

const LIST_WITH_STATUS = `
  select ${TASK_COLUMNS}
    from (select t.* ${RULES_OF_USER}) t
    join scheduled_task_states s on s.task_id = t.id
   where s.status = $11
   order by t.created_at desc, t.id desc
   limit $9 offset $10`;

// Promise: an edit never overwrites what a claim or another edit wrote since it was read. The lease is a claim's: one that
// an edit took away would let a poller in while a launch by hand is under way. With a claim that is taken back ($9) it goes.
const SAVE_PROGRESS = `
  update scheduled_task_states
     set status = $3, next_run_at = $4, missed_occurrences = $5, last_error = $6, version = version + 1,
         lease_owner = case when $9 then null else lease_owner end,
         lease_expires_at = case when $9 then null else lease_expires_at end
   where task_id = $1 and version = $2 and ($7::integer is null or (tenant_id = $7 and user_id = $8))
  returning version`;

const SAVE_RULE = `
  update scheduled_tasks
     set title = $2, prompt = $3, assistant_id = $4, context_mode = $5, thread_id = $6, working_folder = $7,
         schedule_type = $8, schedule_spec = $9, timezone = $10, overlap_policy = $11, misfire_grace_seconds = $12,
         queue_timeout_seconds = $13, recurring = $14, session_id = $15, updated_at = $16, deleted_at = $17
   where id = $1`;

const RECURRING = `
  select ${TASK_COLUMNS}
    from scheduled_tasks t join scheduled_task_states s on s.task_id = t.id
   where t.id > $1 and t.deleted_at is null and t.schedule_type = 'cron' and s.status in ('enabled', 'paused')
   order by t.id
   limit $2`;

const ALL = `
  select ${TASK_COLUMNS}
    from scheduled_tasks t join scheduled_task_states s on s.task_id = t.id
   where t.id > $1 and t.deleted_at is null
   order by t.id
   limit $2`;

const SESSIONS = `
  select distinct session_id from scheduled_tasks where session_id is not null and deleted_at is null`;

const OF_SESSIONS = `select id from scheduled_tasks where session_id = any ($1) and deleted_at is null`;

// Progress before rule, like every edit: two writers that began at different ends would wait in a circle.
const DISCARD_PROGRESS = `
  update scheduled_task_states s
     set next_run_at = null, status = 'cancelled', version = version + 1
    from scheduled_tasks t
   where s.task_id = $1 and t.id = s.task_id and t.deleted_at is null
     and ($2::integer is null or (s.tenant_id = $2 and s.user_id = $3))
  returning s.tenant_id, s.user_id, t.title`;

const DISCARD_RULE = `update scheduled_tasks set deleted_at = $2, updated_at = $2 where id = $1`;

/** Rows of one statement where all of them are walked through. */
const PAGE = 1_000;

export class SqlTaskRepository implements TaskRepository {
  private readonly logger = new Logger('ScheduledTasks');

  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, task: ScheduledTask): Promise<void> {
    await this.sessions.run(actor, async (tx) => {
      const { tenantId, userId } = task.owner;
      const progress = [task.status, task.nextRunAt];
      const told = valuesOf(tx, taskFact('task.created', task, task.createdAt));
      await tx.query(ADD, [task.id, tenantId, userId, task.createdAt, ...progress, ...ruleValues(task), ...told]);
    });
  }

  async find(actor: Actor, taskId: string): Promise<ScheduledTask | null> {
    const row = await this.row(actor, taskId);
    return row === undefined ? null : toTask(row);
  }

  async findForEdit(actor: Actor, taskId: string): Promise<TaskForEdit | null> {
    const [row] = await this.sessions.run(actor, (tx) =>
      tx.query<TaskRow & ClaimColumns>(FIND_FOR_EDIT, [taskId, ...ownerOf(actor)]),
    );
    if (row === undefined) return null;
    const { open_claim: openClaim, claimed_for: nextRunAt } = row;
    return {
      task: toTask(openClaim === null ? row : { ...row, status: 'enabled', next_run_at: nextRunAt }),
      openClaim,
    };
  }

  async findStored(actor: Actor, taskId: string): Promise<StoredTask | null> {
    const row = await this.row(actor, taskId);
    return row === undefined ? null : toStored(row);
  }

  async list(actor: Actor, filter: TaskFilter, page: PageRequest): Promise<ScheduledTask[]> {
    if (actor.type !== 'user') throw new Error("a list of tasks is a person's own list");
    const { tenantId, userId } = actor;
    const text = filter.text === undefined ? undefined : containing(filter.text);
    const { status, scheduleType, assistantId, threadId } = filter;
    const slice = [tenantId, userId, scheduleType, assistantId, threadId, text];
    return this.sessions.run(actor, (tx) => this.page(tx, slice, status, page));
  }

  async save(actor: Actor, task: ScheduledTask, openClaim: string | null = null): Promise<boolean> {
    const write = async (tx: Tx): Promise<boolean> => {
      const { status, nextRunAt, missedOccurrences, lastError, version } = task.progress;
      const values = [task.id, version, status, nextRunAt, missedOccurrences, lastError, ...ownerOf(actor)];
      const saved = await tx.query(SAVE_PROGRESS, [...values, openClaim !== null]);
      if (saved.length === 0) return false;
      if (openClaim !== null) await takeBack(tx, openClaim);
      await tx.query(SAVE_RULE, [task.id, ...ruleValues(task)]);
      const { deletedAt, updatedAt } = task;
      if (deletedAt !== null) await withdrawWaiting(tx, task.id, 'task_deleted', deletedAt);
      else if (status === 'paused') await withdrawWaiting(tx, task.id, 'task_paused', updatedAt);
      else if (task.threadId !== null) await rebindWaiting(tx, task.id, task.threadId);
      if (actor.type === 'user') await appendEvents(tx, [editFact(task)]);
      return true;
    };
    try {
      return await this.sessions.run(actor, write);
    } catch (error) {
      if (error instanceof ClaimClosed) return false;
      throw error;
    }
  }

  async recurring(actor: SystemActor, afterId: string, limit: number): Promise<ScheduledTask[]> {
    const rows = await this.sessions.run(actor, (tx) => tx.query<TaskRow>(RECURRING, [afterId, limit]));
    return rows.flatMap((row) => this.readable(row));
  }

  async unreadable(actor: SystemActor, limit: number): Promise<UnreadableTask[]> {
    const found: UnreadableTask[] = [];
    for (let after = ''; ;) {
      const rows = await this.sessions.run(actor, (tx) => tx.query<TaskRow>(ALL, [after, PAGE]));
      found.push(...rows.flatMap(unreadable));
      const last = rows.at(-1);
      if (found.length >= limit || rows.length < PAGE || last === undefined) return found.slice(0, limit);
      after = last.id;
    }
  }

  async boundSessions(actor: SystemActor): Promise<string[]> {
    const rows = await this.sessions.ask<{ session_id: string }>(actor, SESSIONS);
    return rows.map(({ session_id: id }) => id);
  }

  async ofSessions(actor: SystemActor, sessionIds: readonly string[]): Promise<string[]> {
    const rows = await this.sessions.run(actor, (tx) => tx.query<{ id: string }>(OF_SESSIONS, [sessionIds]));
    return rows.map(({ id }) => id);
  }

  async discard(actor: Actor, taskId: string, now: Date): Promise<boolean> {
    return this.sessions.run(actor, async (tx) => {
      type Row = { tenant_id: number; user_id: string; title: string };
      const [row] = await tx.query<Row>(DISCARD_PROGRESS, [taskId, ...ownerOf(actor)]);
      if (row === undefined) return false;
      await tx.query(DISCARD_RULE, [taskId, now]);
      await withdrawWaiting(tx, taskId, 'task_deleted', now);
      const payload = { task_id: taskId, task_title: row.title, user_id: row.user_id };
      await appendEvents(tx, [{ tenantId: row.tenant_id, type: 'task.deleted', payload, occurredAt: now }]);
      return true;
    });
  }

  private async page(
    tx: Tx,
    slice: readonly unknown[],
    status: TaskFilter['status'],
    page: PageRequest,
  ): Promise<ScheduledTask[]> {
    const { limit, after, offset } = page;
    const place = [after?.createdAt, after?.id, limit, after === undefined ? offset : 0];
    const rows = await (status === undefined
      ? tx.query<TaskRow>(LIST, [...slice, ...place])
      : tx.query<TaskRow>(LIST_WITH_STATUS, [...slice, ...place, status]));
    const found = rows.flatMap((row) => this.readable(row));
    const last = rows.at(-1);
    const missing = limit - found.length;
    if (missing === 0 || rows.length < limit || last === undefined) return found;
    // On from here, since rows were left out: who pages takes a short page for the last one.
    const cursor = { createdAt: last.created_at, id: last.id };
    return [...found, ...(await this.page(tx, slice, status, { limit: missing, offset: 0, after: cursor }))];
  }

  private async row(actor: Actor, taskId: string): Promise<TaskRow | undefined> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<TaskRow>(FIND, [taskId, ...ownerOf(actor)]));
    return row;
  }

  private readable(row: TaskRow): ScheduledTask[] {
    try {
      return [toTask(row)];
    } catch (error) {
      if (!(error instanceof CorruptTaskError)) throw error;
      this.logger.error(error.message);
      return [];
    }
  }
}

/** What the house itself changes, after an update of its time zones, is no edit. */
function editFact(task: ScheduledTask): NewEvent {
  const { deletedAt, updatedAt } = task.rule;
  return taskFact(deletedAt === null ? 'task.updated' : 'task.deleted', task, deletedAt ?? updatedAt);
}

interface ClaimColumns {
  readonly open_claim: string | null;
  readonly claimed_for: Date | null;
}

/** Thrown within a transaction, so that nothing of it is written. */
class ClaimClosed extends Error {}

async function takeBack(tx: Tx, runId: string): Promise<void> {
  await tx.query(LOCK_CLAIM, [runId]);
  const taken = await tx.query(TAKE_BACK, [runId]);
  if (taken.length === 0) throw new ClaimClosed();
}

/** The first fence, beside the policies: whose rows a statement is about. The house itself is about everybody's. */
function ownerOf(actor: Actor): [number | null, string | null] {
  return actor.type === 'user' ? [actor.tenantId, actor.userId] : [null, null];
}

function unreadable(row: TaskRow): UnreadableTask[] {
  try {
    toTask(row);
    return [];
  } catch (error) {
    if (!(error instanceof CorruptTaskError)) throw error;
    const { id, title, status, tenant_id: tenantId, user_id: userId } = row;
    return [{ id, owner: { tenantId, userId }, title, status, error: error.message }];
  }
}

/** A pattern that finds `text` anywhere, every character of it meaning itself. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
