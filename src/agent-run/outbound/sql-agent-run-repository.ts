// Outbound adapter, owns table agent_runs; writes thread_messages. The writes of the hot path go in micro-batches: a
// thousand runs that start in one second cost a few statements, not a thousand.
import { setTimeout as pause } from 'node:timers/promises';
import { systemActor, type Actor } from '../../kernel/actor';
import { MicroBatch, type MicroBatchOptions } from '../../platform/persistence/micro-batch';
import { IN_TIME_MS, type Sessions, type Tx } from '../../platform/persistence/sessions';
import { isUnavailable } from '../../platform/persistence/sql-errors';
import type { AgentRun } from '../domain/agent-run';
import { StartAbortedError } from '../domain/errors';
import type { UsageSum } from '../domain/usage';
import type { AgentRunRepository, Holders, Opening, OpenOptions, Page } from '../ports/agent-run-repository';
import { scopeOf } from './actor-scope';
import { endRows, sessionRows, toAgentRun, type AgentRunRow } from './agent-run.row';
import { bySize, doneOrThrow, togetherOrAlone, type Outcome } from './batch-writes';
import { openRuns, type OpenItem } from './open-runs';
import { putOff, takeRetries } from './put-off-runs';
import { busyThreads, promoteTurn, QUEUED_BEFORE, QUEUED_THREADS, REQUEUE } from './queued-runs';

/** A batch holds runs of many people, so it is written by the house; each row's owner is compared in the statement. */
const BATCH = systemActor('agent runs: writes of many people in one batch');
const QUEUE = systemActor('agent runs: the queue of a thread');
const MOST_BYTES = 8 * 1024 * 1024;
/**
 * What agents have said and that waits in memory for a database that is away. Ends themselves are as many as there are runs in
 * hand, since nothing starts meanwhile; beyond this they are kept without what was said.
 */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** For so long a start waits for a database that is away: others may take its process for dead soon after. */
const OPEN_PATIENCE_MS = 30_000;

// Promise: a run that has ended, or was started by somebody else, is not set back.
const RECORD_STARTS = `
  update agent_runs r set status = 'running', started_at = s.started_at
    from json_to_recordset($1::json) as s (id text, started_at timestamptz)
   where r.id = s.id and r.status = 'starting'`;

// Promise: the first end counts (except that a true one corrects a presumed one), and what the agent said is told once,
// together with it. An end may be written before the start that belongs to it: it carries the instant of the start.
const RECORD_ENDS = `
  with ended as (
    update agent_runs r
       set status = e.status, presumed = e.presumed, started_at = coalesce(e.started_at, r.started_at),
           finished_at = e.finished_at,
           error = e.error, reason = e.reason, exit_code = e.exit_code, result = e.result, usage = e.usage,
           output = e.output, output_dropped_bytes = e.output_dropped,
           error_output = e.error_output, error_output_dropped_bytes = e.error_output_dropped
      from json_to_recordset($1::json) as e
           (id text, status text, presumed boolean, started_at timestamptz, finished_at timestamptz, error text,
            reason text, exit_code integer, result text, usage jsonb, output text,
            output_dropped bigint, error_output text, error_output_dropped bigint)
     where r.id = e.id
       and (r.status in ('queued', 'starting', 'running') or (r.presumed and not e.presumed))
    returning r.id, r.thread_id, r.tenant_id, r.user_id, coalesce(r.result, r.output) as answer, r.finished_at
  ), said as (
    insert into thread_messages (thread_id, tenant_id, user_id, agent_run_id, role, content, created_at)
    select thread_id, tenant_id, user_id, id, 'assistant', answer, finished_at from ended where answer <> ''
  )
  select id from ended`;

// Promise: only an end that counted changes the conversation. Written apart: most agents keep none.
const RECORD_SESSIONS = `
  update threads t set agent_sessions = t.agent_sessions || jsonb_build_object(s.assistant_id, s.agent_session)
    from json_to_recordset($1::json) as s (thread_id text, assistant_id text, agent_session text)
   where t.id = s.thread_id`;

const WITHDRAW_PROMPTS = `
  delete from thread_messages m using agent_runs r
   where r.id = any ($1) and r.status = 'starting' and m.thread_id = r.thread_id and m.agent_run_id = r.id`;
const WITHDRAW = `delete from agent_runs where id = any ($1) and status = 'starting' and started_at is null`;

// Promise: the first moment stays, and a run that is over is not touched.
const RECORD_CANCEL_REQUEST = `
  update agent_runs set cancel_requested_at = $2
   where id = $1 and status in ('queued', 'starting', 'running') and cancel_requested_at is null
     and ($3 or (tenant_id = $4 and user_id = $5))`;

const FIND = `select * from agent_runs where id = $1 and ($2 or (tenant_id = $3 and user_id = $4))`;

// Without what was said: lists and settling do not need megabytes.
const BRIEF = `
  id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, status, metadata, working_folder, turn_of,
  '' as prompt, presumed, error, reason, exit_code, null as result, usage, null as output, output_dropped_bytes, null as error_output, error_output_dropped_bytes,
  cancel_requested_at, retry_at, attempt, created_at, started_at, finished_at`;

const BY_REQUEST_IDS = `
  select ${BRIEF} from agent_runs where request_id = any ($1) and ($2 or (tenant_id = $3 and user_id = $4))`;

const SUM_USAGE = `
  select count(*)::integer as "reported",
         coalesce(sum((usage ->> 'inputTokens')::numeric), 0)::double precision as "inputTokens",
         coalesce(sum((usage ->> 'outputTokens')::numeric), 0)::double precision as "outputTokens",
         coalesce(sum((usage ->> 'totalTokens')::numeric), 0)::double precision as "totalTokens",
         coalesce(sum((usage ->> 'costUsd')::numeric), 0)::double precision as "costUsd"
    from agent_runs
   where usage is not null and metadata @> $1::jsonb and ($2 or (tenant_id = $3 and user_id = $4))`;

const OF_THREAD = `
  select ${BRIEF} from agent_runs
   where thread_id = $1 and ($2 or (tenant_id = $3 and user_id = $4))
   order by created_at desc, id desc
   limit $5 offset $6`;

const HELD_BY = `
  select ${BRIEF} from agent_runs
   where status in ('starting', 'running') and retry_at is null and ($1::text[] is null or instance_id = any ($1))`;

// Promise: the run of a process that is not declared dead is not among them.
const HELD_BY_DEAD = `
  select ${BRIEF} from agent_runs
   where status in ('starting', 'running') and retry_at is null and (instance_id = $1 or not horarium_alive(instance_id))`;

// Promise: of several processes that want a dead one's run, one gets it.
const TAKE_OVER = `
  update agent_runs set instance_id = $3
   where id = $1 and instance_id is not distinct from $2 and status in ('starting', 'running')
  returning id`;

const CANCEL_REQUESTED = `
  select ${BRIEF} from agent_runs
   where status in ('starting', 'running') and instance_id = $1 and cancel_requested_at is not null`;

export interface SqlAgentRunOptions extends MicroBatchOptions {
  /** Between two attempts to store an end while the database is away. */
  readonly retryMs: number;
  readonly mostWaitingBytes?: number;
}

export class SqlAgentRunRepository implements AgentRunRepository {
  private readonly opens: MicroBatch<OpenItem, Outcome<Opening>>;
  private readonly starts: MicroBatch<AgentRun, Outcome<undefined>>;
  private readonly ends: MicroBatch<AgentRun, Outcome<boolean>>;
  private readonly withdrawals: MicroBatch<AgentRun, Outcome<undefined>>;
  private waitingBytes = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly options: SqlAgentRunOptions,
  ) {
    this.opens = this.batch('urgent', openRuns);
    this.starts = this.batch('patient', async (tx, runs) => {
      const starts = runs.map(({ id, fields }) => ({ id, started_at: fields.startedAt }));
      await tx.query(RECORD_STARTS, [JSON.stringify(starts)]);
      return runs.map(() => undefined);
    });
    this.ends = this.batch('patient', recordEnds);
    this.withdrawals = this.batch('patient', async (tx, runs) => {
      const ids = runs.map(({ id }) => id);
      await tx.query(WITHDRAW_PROMPTS, [ids]);
      await tx.query(WITHDRAW, [ids]);
      return runs.map(() => undefined);
    });
  }

  async open(actor: Actor, run: AgentRun, createThread: boolean, options: OpenOptions = {}): Promise<Opening> {
    const { tenantId, userId } = run.fields.owner;
    if (actor.type === 'user' && (actor.tenantId !== tenantId || actor.userId !== userId))
      return { outcome: 'no-thread' };
    for (const began = performance.now(); ;) {
      const outcome = await this.opens.add({ ...options, run, createThread });
      if ('failed' in outcome && isUnavailable(outcome.failed)) {
        // Its agent certainly does not work, and the same request may come again: to another process.
        if (this.sessions.isInAHurry()) throw new StartAbortedError();
        if (performance.now() - began < OPEN_PATIENCE_MS) {
          await pause(this.options.retryMs);
          continue;
        }
      }
      const opening = doneOrThrow(outcome);
      // Stored before the answer was lost: it is this very one.
      if (opening.outcome !== 'known' || opening.run.id !== run.id) return opening;
      return { outcome: opening.run.status === 'queued' ? 'queued' : 'opened' };
    }
  }

  async recordStart(run: AgentRun): Promise<void> {
    doneOrThrow(await this.starts.add(run));
  }

  async recordEnd(run: AgentRun): Promise<boolean> {
    let [kept, held] = [run, 0];
    try {
      for (;;) {
        const outcome = await this.ends.add(kept);
        if ('done' in outcome || !isUnavailable(outcome.failed)) return doneOrThrow(outcome);
        if (held === 0) {
          const { mostWaitingBytes = MOST_WAITING_BYTES } = this.options;
          if (this.waitingBytes + saidBytes(run) > mostWaitingBytes) kept = run.withoutWords();
          held = saidBytes(kept);
          this.waitingBytes += held;
        }
        await pause(this.options.retryMs);
      }
    } finally {
      this.waitingBytes -= held;
    }
  }

  async withdraw(run: AgentRun): Promise<void> {
    doneOrThrow(await this.withdrawals.add(run));
  }

  async recordCancelRequest(actor: Actor, agentRunId: string, now: Date): Promise<void> {
    await this.query(actor, RECORD_CANCEL_REQUEST, [agentRunId, now, ...scopeOf(actor)]);
  }

  async find(actor: Actor, agentRunId: string): Promise<AgentRun | null> {
    const [row] = await this.query(actor, FIND, [agentRunId, ...scopeOf(actor)]);
    return row === undefined ? null : toAgentRun(row);
  }

  async byRequestIds(actor: Actor, requestIds: readonly string[]): Promise<AgentRun[]> {
    return (await this.query(actor, BY_REQUEST_IDS, [requestIds, ...scopeOf(actor)])).map(toAgentRun);
  }

  async ofThread(actor: Actor, threadId: string, { limit, offset }: Page): Promise<AgentRun[]> {
    return (await this.query(actor, OF_THREAD, [threadId, ...scopeOf(actor), limit, offset])).map(toAgentRun);
  }

  async heldBy(holders: Holders): Promise<AgentRun[]> {
    const asked = systemActor('agent runs: whose process is dead');
    if (holders !== 'all' && 'deadOr' in holders) {
      return (await this.query(asked, HELD_BY_DEAD, [holders.deadOr])).map(toAgentRun);
    }
    const names = holders === 'all' ? null : [...holders];
    return (await this.query(asked, HELD_BY, [names])).map(toAgentRun);
  }

  recordRetry(turn: readonly AgentRun[], retryAt: Date): Promise<boolean> {
    return putOff(this.sessions, turn, retryAt);
  }

  takeRetries(instanceId: string, now: Date): Promise<{ due: AgentRun[][]; nextAt: Date | null }> {
    return takeRetries(this.sessions, instanceId, now);
  }

  async takeOver(run: AgentRun, instanceId: string): Promise<AgentRun | null> {
    const actor = systemActor('agent runs: taken over from a dead process');
    const taken = await this.query(actor, TAKE_OVER, [run.id, run.fields.instanceId, instanceId]);
    return taken.length === 0 ? null : run.takenOverBy(instanceId);
  }

  async sumUsage(actor: Actor, metadata: Readonly<Record<string, string>>): Promise<UsageSum> {
    const params = [JSON.stringify(metadata), ...scopeOf(actor)];
    const [sum] = await this.sessions.run(actor, (tx) => tx.query<UsageSum>(SUM_USAGE, params));
    return sum ?? { reported: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0, costUsd: 0 };
  }

  async cancelRequested(instanceId: string): Promise<AgentRun[]> {
    const asked = systemActor('agent runs: cancelled through another process');
    return (await this.query(asked, CANCEL_REQUESTED, [instanceId])).map(toAgentRun);
  }

  busyThreads(actor: Actor, threadIds: readonly string[]): Promise<Set<string>> {
    return this.sessions.run(actor, (tx) => busyThreads(tx, threadIds));
  }

  async queuedThreads(limit: number): Promise<string[]> {
    const rows = await this.sessions.ask<{ thread_id: string }>(QUEUE, QUEUED_THREADS, [limit]);
    return rows.map(({ thread_id: id }) => id);
  }

  async queuedBefore(instant: Date, limit: number): Promise<AgentRun[]> {
    return (await this.query(QUEUE, QUEUED_BEFORE, [instant, limit])).map(toAgentRun);
  }

  async promote(threadId: string, instanceId: string): Promise<AgentRun[]> {
    return (await this.sessions.run(QUEUE, (tx) => promoteTurn(tx, threadId, instanceId))).map(toAgentRun);
  }

  async requeue(runs: readonly AgentRun[]): Promise<void> {
    await this.query(QUEUE, REQUEUE, [runs.map(({ id }) => id)]);
  }

  async drain(): Promise<void> {
    await Promise.all([this.opens, this.starts, this.ends, this.withdrawals].map((batch) => batch.drain()));
  }

  private query(actor: Actor, text: string, params: readonly unknown[]): Promise<AgentRunRow[]> {
    return this.sessions.run(actor, (tx) => tx.query<AgentRunRow>(text, params));
  }

  private batch<I, O>(
    precedence: 'urgent' | 'patient',
    write: (tx: Tx, items: readonly I[]) => Promise<readonly O[]>,
  ): MicroBatch<I, Outcome<O>> {
    const flush = (part: readonly I[]): Promise<readonly O[]> =>
      this.sessions.run(BATCH, (tx) => write(tx, part), { precedence, answerWithinMs: IN_TIME_MS });
    return new MicroBatch<I, Outcome<O>>((items) => togetherOrAlone(items, flush), this.options);
  }
}

async function recordEnds(tx: Tx, runs: readonly AgentRun[]): Promise<boolean[]> {
  const ended = new Set<string>();
  for (const part of bySize(runs, saidBytes, MOST_BYTES)) {
    for (const { id } of await tx.query<{ id: string }>(RECORD_ENDS, [endRows(part)])) ended.add(id);
  }
  const sessions = sessionRows(runs.filter(({ id }) => ended.has(id)));
  if (sessions !== null) await tx.query(RECORD_SESSIONS, [sessions]);
  return runs.map(({ id }) => ended.has(id));
}

function saidBytes({ fields: { end } }: AgentRun): number {
  return 256 + (end?.output.text.length ?? 0) + (end?.result?.length ?? 0) + (end?.errorOutput.text.length ?? 0);
}
