// Outbound. Agent runs that wait to be tried again, because their agents were told to slow down. Part of
// sql-agent-run-repository.ts.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { AgentRun } from '../domain/agent-run';
import { toAgentRun, type AgentRunRow } from './agent-run.row';

const RETRIES = systemActor('agent runs: those that wait to be tried again');
/** The row of the timetable that starts them again. */
const RETRIER = 'agent-run-retrier';

// Promise: what has ended stays so. The thread stays taken: the run is not over.
const PUT_OFF = `
  update agent_runs set status = 'running', instance_id = null, retry_at = $2, attempt = attempt + 1
   where id = any ($1) and status in ('starting', 'running')
     and exists (select from agent_runs h where h.id = ($1::text[])[1] and h.status in ('starting', 'running'))
  returning id`;

// Promise: each waiting turn is started again by one process, all of it: whoever has its head's row has the turn.
const TAKE = `
  with heads as materialized (
    select h.id from agent_runs h
     where h.retry_at is not null and h.status = 'running' and h.turn_of is null
       and (h.retry_at <= $2 or h.cancel_requested_at is not null
            or exists (select from agent_runs m
                        where m.turn_of = h.id and m.retry_at is not null and m.status = 'running'
                          and m.cancel_requested_at is not null))
     order by h.retry_at limit 100 for update of h skip locked
  )
  update agent_runs r set status = 'starting', instance_id = $1, retry_at = null
    from heads h
   where r.retry_at is not null and r.status = 'running' and (r.id = h.id or r.turn_of = h.id)
  returning r.*`;

// One that is to be cancelled is due at once, and its whole turn with it. Who waits are few.
const NEXT = `
  select min(case when cancel_requested_at is null then retry_at else least(retry_at, cancel_requested_at) end) as next_at
    from agent_runs where retry_at is not null and status = 'running'`;

/** False: its head has ended meanwhile. */
export function putOff(sessions: Sessions, turn: readonly AgentRun[], retryAt: Date): Promise<boolean> {
  return sessions.run(RETRIES, async (tx) => {
    const ids = turn.map(({ id }) => id);
    const waiting = await tx.query<{ id: string }>(PUT_OFF, [ids, retryAt]);
    tx.wakeAfterCommit(RETRIER);
    return waiting.some(({ id }) => id === ids[0]);
  });
}

/** Turns whose moment has come, each with its head first; and when the next one is due. */
export async function takeRetries(
  sessions: Sessions,
  instanceId: string,
  now: Date,
): Promise<{ due: AgentRun[][]; nextAt: Date | null }> {
  const [next] = await sessions.ask<{ next_at: Date | null }>(RETRIES, NEXT);
  if (next?.next_at == null || next.next_at > now) return { due: [], nextAt: next?.next_at ?? null };
  return sessions.run(RETRIES, async (tx) => {
    const runs = (await tx.query<AgentRunRow>(TAKE, [instanceId, now])).sort(inOrder).map(toAgentRun);
    const heads = runs.filter(({ fields }) => fields.turnOf === null);
    const due = heads.map((head) => [head, ...runs.filter(({ fields }) => fields.turnOf === head.id)]);
    const [after] = await tx.query<{ next_at: Date | null }>(NEXT);
    return { due, nextAt: after?.next_at ?? null };
  });
}

function inOrder(a: AgentRunRow, b: AgentRunRow): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
}
