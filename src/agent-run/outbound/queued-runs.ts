// Outbound. Agent runs that wait for their thread to be idle: which there are, and how they get their turn. Part of
// sql-agent-run-repository.ts.
import type { Tx } from '../../platform/persistence/sessions';
import type { AgentRunRow } from './agent-run.row';

// Two questions, an index for each: as one, all open runs would be read.
const BUSY_THREADS = `
  select thread_id from agent_runs where thread_id = any ($1) and status in ('starting', 'running') and turn_of is null
  union
  select thread_id from agent_runs where thread_id = any ($1) and status = 'queued'`;

export const QUEUED_THREADS = `
  select thread_id from agent_runs where status = 'queued' group by thread_id order by min(created_at) limit $1`;

export const QUEUED_BEFORE = `
  select * from agent_runs where status = 'queued' and created_at < $1 order by created_at, id limit $2`;

// Who has the thread's row decides alone what its next turn is. A statement of its own: the one that waited would see the
// line as it was before the wait.
const LOCK_THREAD = `select id from threads where id = $1 for update skip locked`;

// Promise: each queued run is executed once, in order, and only on an idle thread: compare-and-set, whichever process comes
// first. The first in line and those behind it for the same agent are one turn.
const PROMOTE = `
  with line as (
    select id, assistant_id, working_folder, row_number() over (order by created_at, id) as place
      from agent_runs where thread_id = $1 and status = 'queued'
  ), head as (
    select * from line where place = 1
  ), turn as (
    select l.id, h.id as head_id
      from line l, head h
     where l.place < coalesce(
       (select min(o.place) from line o
         where o.assistant_id <> h.assistant_id or o.working_folder is distinct from h.working_folder), 2147483647)
  )
  update agent_runs r
     set status = 'starting', instance_id = $2, turn_of = nullif(t.head_id, r.id)
    from turn t
   where r.id = t.id and r.status = 'queued'
     and not exists (select from agent_runs a
                      where a.thread_id = $1 and a.status in ('starting', 'running') and a.turn_of is null)
  returning r.*`;

/** Not begun after all: back to where they were. */
export const REQUEUE = `
  update agent_runs set status = 'queued', instance_id = null, turn_of = null
   where id = any ($1) and status = 'starting' and started_at is null`;

export async function busyThreads(tx: Tx, threadIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ thread_id: string }>(BUSY_THREADS, [threadIds]);
  return new Set(rows.map(({ thread_id: id }) => id));
}

/** The turn, its head first; empty when it is not the thread's time, or another process has it. */
export async function promoteTurn(tx: Tx, threadId: string, instanceId: string): Promise<AgentRunRow[]> {
  const locked = await tx.query(LOCK_THREAD, [threadId]);
  if (locked.length === 0) return [];
  const rows = await tx.query<AgentRunRow>(PROMOTE, [threadId, instanceId]);
  return rows.sort((a, b) => +a.created_at - +b.created_at || (a.id < b.id ? -1 : 1));
}
