// Outbound. Opens a batch of runs: threads, runs and prompts in one transaction, then says item by item what came of it.
import type { Tx } from '../../platform/persistence/sessions';
import type { AgentRun } from '../domain/agent-run';
import type { Opening, OpenOptions } from '../ports/agent-run-repository';
import { openingRows, toAgentRun, type AgentRunRow } from './agent-run.row';

export interface OpenItem extends OpenOptions {
  readonly run: AgentRun;
  readonly createThread: boolean;
}

// In the order of ids, so that two processes that create the same threads never wait for each other in a circle.
const CREATE_THREADS = `
  insert into threads (id, tenant_id, user_id, created_at, updated_at)
  select distinct on (n.id) n.id, n.tenant_id, n.user_id, n.created_at, n.created_at
    from json_to_recordset($1::json) as n (id text, tenant_id integer, user_id text, created_at timestamptz)
   order by n.id
      on conflict (id) do nothing`;

// Promise: of all who want a thread at once, one gets it, and a request id has one run. Both unique indexes decide within
// this statement (a check beforehand would let two through), also between rows of this very batch. A queued run lies
// outside the index and is asked for: it was there first.
// Both questions are asked row by row, through an index. As joins, their plans would read every thread, and for each row
// every open run, because statistics say that there are few.
const OPEN_RUNS = `
  with wanted as materialized (
    select n.*,
           exists (select from threads t
                    where t.id = n.thread_id and t.tenant_id = n.tenant_id and t.user_id = n.user_id) as own_thread,
           exists (select from agent_runs q where q.thread_id = n.thread_id and q.status = 'queued') as waited_for
      from rows from (json_to_recordset($1::json) as
             (id text, request_id text, tenant_id integer, user_id text, thread_id text, assistant_id text,
              instance_id text, metadata jsonb, working_folder text, prompt text, created_at timestamptz))
           with ordinality as n (id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, metadata,
                                 working_folder, prompt, created_at, position)
  ), opened as (
    insert into agent_runs (id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, metadata,
                            working_folder, prompt, created_at, status)
    select id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, metadata, working_folder,
           prompt, created_at, 'starting'
      from wanted
     where own_thread and not waited_for
     order by position
        on conflict do nothing
    returning id, thread_id, tenant_id, user_id, prompt, created_at
  ), said as (
    insert into thread_messages (thread_id, tenant_id, user_id, agent_run_id, role, content, created_at)
    select thread_id, tenant_id, user_id, id, 'user', prompt, created_at from opened
  )
  select id from opened`;

// After its head is opened, in the same transaction: all of a turn, or nothing.
const OPEN_TURN = `
  with opened as (
    insert into agent_runs (id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, metadata,
                            working_folder, turn_of, prompt, created_at, status)
    select n.id, n.request_id, n.tenant_id, n.user_id, n.thread_id, n.assistant_id, n.instance_id, n.metadata,
           n.working_folder, n.turn_of, n.prompt, n.created_at, 'starting'
      from rows from (json_to_recordset($1::json) as
             (id text, request_id text, tenant_id integer, user_id text, thread_id text, assistant_id text,
              instance_id text, metadata jsonb, working_folder text, turn_of text, prompt text, created_at timestamptz))
           with ordinality as n (id, request_id, tenant_id, user_id, thread_id, assistant_id, instance_id, metadata,
                                 working_folder, turn_of, prompt, created_at, position)
     order by n.position
    returning id, thread_id, tenant_id, user_id, prompt, created_at
  )
  insert into thread_messages (thread_id, tenant_id, user_id, agent_run_id, role, content, created_at)
  select thread_id, tenant_id, user_id, id, 'user', prompt, created_at from opened`;

// Promise: a request id has one run, here too. Its prompt is said when its turn comes to it, which is now for a reader.
const ENQUEUE = `
  with queued as (
    insert into agent_runs (id, request_id, tenant_id, user_id, thread_id, assistant_id, metadata, working_folder, prompt,
                            created_at, status)
    select n.id, n.request_id, n.tenant_id, n.user_id, n.thread_id, n.assistant_id, n.metadata, n.working_folder,
           n.prompt, n.created_at, 'queued'
      from json_to_recordset($1::json) as n
           (id text, request_id text, tenant_id integer, user_id text, thread_id text, assistant_id text, metadata jsonb,
            working_folder text, prompt text, created_at timestamptz)
        on conflict (request_id) do nothing
    returning id, thread_id, tenant_id, user_id, prompt, created_at
  ), said as (
    insert into thread_messages (thread_id, tenant_id, user_id, agent_run_id, role, content, created_at)
    select thread_id, tenant_id, user_id, id, 'user', prompt, created_at from queued
  )
  select id from queued`;

const FIND_KNOWN = `select * from agent_runs where request_id = any ($1)`;

const FIND_THREADS = `select id, tenant_id, user_id from threads where id = any ($1)`;

export async function openRuns(tx: Tx, items: readonly OpenItem[]): Promise<Opening[]> {
  const created = items
    .filter(({ createThread }) => createThread)
    .map(({ run: { fields } }) => ({
      id: fields.threadId,
      tenant_id: fields.owner.tenantId,
      user_id: fields.owner.userId,
      created_at: fields.createdAt,
    }));
  if (created.length > 0) await tx.query(CREATE_THREADS, [JSON.stringify(created)]);
  const rows = await tx.query<{ id: string }>(OPEN_RUNS, [openingRows(items.map(({ run }) => run))]);
  const opened = new Set(rows.map(({ id }) => id));
  const refused = items.map(({ run }) => run).filter(({ id }) => !opened.has(id));
  const whyNot = refused.length === 0 ? undefined : await refusals(tx, refused);
  const answers = items.map(({ run }): Opening =>
    opened.has(run.id) ? { outcome: 'opened' } : (whyNot?.(run) ?? { outcome: 'busy' }),
  );
  const turns = items.flatMap(({ run, together }) => (opened.has(run.id) ? (together ?? []) : []));
  if (turns.length > 0) await tx.query(OPEN_TURN, [openingRows(turns)]);
  return enqueueBusy(tx, items, answers);
}

async function enqueueBusy(tx: Tx, items: readonly OpenItem[], answers: readonly Opening[]): Promise<Opening[]> {
  const wanted = items.filter((item, nr) => item.enqueue === true && answers[nr]?.outcome === 'busy');
  if (wanted.length === 0) return [...answers];
  const rows = await tx.query<{ id: string }>(ENQUEUE, [openingRows(wanted.map(({ run }) => run))]);
  const queued = new Set(rows.map(({ id }) => id));
  return answers.map((answer, nr) => (queued.has(items[nr]?.run.id ?? '') ? { outcome: 'queued' } : answer));
}

async function refusals(tx: Tx, refused: readonly AgentRun[]): Promise<(run: AgentRun) => Opening> {
  const known = await tx.query<AgentRunRow>(FIND_KNOWN, [refused.map(({ fields }) => fields.requestId)]);
  const byRequest = new Map(known.map((row) => [row.request_id, toAgentRun(row)]));
  const threads = await tx.query<{ id: string; tenant_id: number; user_id: string }>(FIND_THREADS, [
    refused.map(({ fields }) => fields.threadId),
  ]);
  const owners = new Map(threads.map((thread) => [thread.id, thread]));
  return ({ fields: { requestId, threadId, owner } }) => {
    const run = byRequest.get(requestId);
    if (run !== undefined) return { outcome: 'known', run };
    const thread = owners.get(threadId);
    const own = thread?.tenant_id === owner.tenantId && thread.user_id === owner.userId;
    return { outcome: own ? 'busy' : 'no-thread' };
  };
}
