// Outbound adapter, owns table agent_sessions.
import { systemActor, type Actor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { AgentSession } from '../domain/agent-session';
import type { SessionRepository } from '../ports/session-repository';
import { scopeOf } from './actor-scope';

const COLUMNS = `
  s.id, s.tenant_id, s.user_id, s.thread_id, s.assistant_id, s.instance_id, s.ttl_seconds, s.opened_at, s.expires_at`;

/** Its process gives signs of life, as agent runs judge it. */
const HELD = `
  exists (select from instances i
           where i.id = s.instance_id and i.stopped_at is null
             and i.heartbeat_at > horarium_now() - interval '60 seconds')`;

const ADD = `
  insert into agent_sessions
    (id, tenant_id, user_id, thread_id, assistant_id, instance_id, ttl_seconds, opened_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const OPEN = `s.closed_at is null and s.expires_at > $1 and ${HELD}`;

const FIND = `
  select ${COLUMNS} from agent_sessions s
   where s.id = $2 and ${OPEN} and ($3 or (s.tenant_id = $4 and s.user_id = $5))`;

const LIST = `
  select ${COLUMNS} from agent_sessions s
   where ${OPEN} and ($2 or (s.tenant_id = $3 and s.user_id = $4))
   order by s.opened_at desc, s.id desc
   limit 200`;

// Promise: nobody renews what is over; whoever closes and whoever renews at once, one of them is first.
const RENEW = `
  update agent_sessions s set expires_at = $1::timestamptz + make_interval(secs => s.ttl_seconds)
   where s.id = $2 and ${OPEN} and ($3 or (s.tenant_id = $4 and s.user_id = $5))
  returning ${COLUMNS}`;

const CLOSE = `
  update agent_sessions s set closed_at = $1, end_reason = 'closed'
   where s.id = $2 and s.closed_at is null and ($3 or (s.tenant_id = $4 and s.user_id = $5))
  returning s.id`;

const CLOSE_HELD = `
  update agent_sessions s set closed_at = $1, end_reason = 'process_lost'
   where s.instance_id = $2 and s.closed_at is null
  returning s.id`;

// The statement counts what was there before it: those that it ends are still among the open ones.
const SWEEP = `
  with ended as (
    update agent_sessions s
       set closed_at = $1, end_reason = case when s.expires_at <= $1 then 'expired' else 'process_lost' end
     where s.closed_at is null and (s.expires_at <= $1 or not ${HELD})
    returning s.id
  )
  select array(select id from ended) as ended,
         (select count(*)::integer from agent_sessions where closed_at is null) as open`;

/** What nobody asks about any more. */
const FORGET = `delete from agent_sessions where closed_at < $1::timestamptz - interval '30 days'`;

const OVER = `
  select asked.id from unnest($2::text[]) as asked (id)
   where not exists (select from agent_sessions s where s.id = asked.id and ${OPEN})`;

const HOUSE = systemActor('agent sessions: which are over');

interface SessionRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly thread_id: string | null;
  readonly assistant_id: string | null;
  readonly instance_id: string;
  readonly ttl_seconds: number;
  readonly opened_at: Date;
  readonly expires_at: Date;
}

export class SqlSessionRepository implements SessionRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, { id, owner, threadId, assistantId, instanceId, ...session }: AgentSession): Promise<void> {
    const { ttlSeconds, openedAt, expiresAt } = session;
    const values = [
      id,
      owner.tenantId,
      owner.userId,
      threadId,
      assistantId,
      instanceId,
      ttlSeconds,
      openedAt,
      expiresAt,
    ];
    await this.query(actor, ADD, values);
  }

  async find(actor: Actor, sessionId: string, now: Date): Promise<AgentSession | null> {
    const [row] = await this.query(actor, FIND, [now, sessionId, ...scopeOf(actor)]);
    return row === undefined ? null : toSession(row);
  }

  async list(actor: Actor, now: Date): Promise<AgentSession[]> {
    return (await this.query(actor, LIST, [now, ...scopeOf(actor)])).map(toSession);
  }

  async renew(actor: Actor, sessionId: string, now: Date): Promise<AgentSession | null> {
    const [row] = await this.query(actor, RENEW, [now, sessionId, ...scopeOf(actor)]);
    return row === undefined ? null : toSession(row);
  }

  async close(actor: Actor, sessionId: string, now: Date): Promise<boolean> {
    return (await this.query(actor, CLOSE, [now, sessionId, ...scopeOf(actor)])).length > 0;
  }

  async closeHeldBy(instanceId: string, now: Date): Promise<string[]> {
    return (await this.query(HOUSE, CLOSE_HELD, [now, instanceId])).map(({ id }) => id);
  }

  async sweep(now: Date): Promise<{ ended: string[]; open: number }> {
    const [row] = await this.sessions.ask<{ ended: string[]; open: number }>(HOUSE, SWEEP, [now]);
    const { ended, open } = row ?? { ended: [], open: 0 };
    if (ended.length > 0) await this.query(HOUSE, FORGET, [now]);
    return { ended, open: open - ended.length };
  }

  async over(sessionIds: readonly string[], now: Date): Promise<string[]> {
    return (await this.query(HOUSE, OVER, [now, sessionIds])).map(({ id }) => id);
  }

  private query(actor: Actor, text: string, params: readonly unknown[]): Promise<SessionRow[]> {
    return this.sessions.run(actor, (tx) => tx.query<SessionRow>(text, params));
  }
}

function toSession(row: SessionRow): AgentSession {
  return {
    id: row.id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    threadId: row.thread_id,
    assistantId: row.assistant_id,
    instanceId: row.instance_id,
    ttlSeconds: row.ttl_seconds,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
  };
}
