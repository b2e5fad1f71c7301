// Outbound adapter. Writes compliance.agent_last_seen and agent_presence.
import { systemActor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import { sqlState } from '../../platform/persistence/sql-errors';
import type { Beat } from '../domain/heartbeat';
import type { Announced, LastSeen } from '../ports/last-seen';

/**
 * Sorted, and locked in that order before anything is written: of unsorted batches more than half ended in a deadlock.
 * A time never goes back, whichever process comes last.
 */
const WRITE = `
  with beat as (
    select * from unnest($1::uuid[], $2::timestamptz[], $3::integer[]) as b (agent_id, at, skew)
  ), held as materialized (
    select s.agent_id, b.at, b.skew from beat b join compliance.agent_last_seen s on s.agent_id = b.agent_id
     order by s.agent_id for update of s
  )
  update compliance.agent_last_seen s
     set last_seen_at = greatest(s.last_seen_at, h.at), clock_skew_ms = coalesce(h.skew, s.clock_skew_ms)
    from held h where s.agent_id = h.agent_id`;

/** Disabled agents come and go unheard. */
const NOW_ONLINE = `
  with now_online as (
    select a.id, a.tenant_id, a.name, s.last_seen_at,
           coalesce(s.last_seen_at > horarium_now() - make_interval(secs => $1), false) as online
      from compliance.agents a join compliance.agent_last_seen s on s.agent_id = a.id
     where a.deleted_at is null and a.disabled_at is null
  )`;
/** What a round costs that finds nothing to announce. */
const LOOK = `${NOW_ONLINE}
  select count(*)::integer as agents, coalesce(bool_or(p.announced_online <> n.online), false) as changed
    from now_online n join compliance.agent_presence p on p.agent_id = n.id`;
// Promise: of several processes that look at once one announces a change: the others find it announced.
const ANNOUNCE = `${NOW_ONLINE}
  update compliance.agent_presence p set announced_online = n.online, announced_at = horarium_now()
    from now_online n
   where p.agent_id = n.id and p.announced_online <> n.online
  returning p.agent_id, p.tenant_id, n.name, n.last_seen_at, n.online, p.announced_at`;

interface Transition {
  agent_id: string;
  tenant_id: number;
  name: string;
  last_seen_at: Date | null;
  online: boolean;
  announced_at: Date;
}

const KEEPER = systemActor('presence of remote agents');
const DEADLOCK = '40P01';
const MOST_TRIES = 3;
const LARGEST_INTEGER = 2_147_483_647;

export class SqlLastSeen implements LastSeen {
  constructor(private readonly sessions: Sessions) {}

  async write(beats: readonly Beat[]): Promise<void> {
    const sorted = [...beats].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
    const params = [
      sorted.map(({ agentId }) => agentId),
      sorted.map(({ at }) => at),
      sorted.map(({ clockSkewMs }) => (clockSkewMs === null ? null : bounded(clockSkewMs))),
    ];
    for (let tries = 1; ; tries++) {
      try {
        await this.sessions.run(KEEPER, (tx) => tx.query(WRITE, params));
        return;
      } catch (error) {
        // By other means than ours: an operator's statement, say.
        if (sqlState(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
      }
    }
  }

  async announce(thresholdSeconds: number): Promise<Announced> {
    const [seen] = await this.sessions.ask<{ agents: number; changed: boolean }>(KEEPER, LOOK, [thresholdSeconds]);
    const agents = seen?.agents ?? 0;
    if (seen?.changed !== true) return { agents, online: 0, offline: 0 };
    return this.sessions.run(KEEPER, async (tx) => {
      const transitions = await tx.query<Transition>(ANNOUNCE, [thresholdSeconds]);
      await appendEvents(
        tx,
        transitions.map((one) => ({
          tenantId: one.tenant_id,
          type: one.online ? 'agent.online' : 'agent.offline',
          payload: {
            agent_id: one.agent_id,
            name: one.name,
            last_seen_at: one.last_seen_at?.toISOString() ?? null,
          },
          occurredAt: one.announced_at,
        })),
      );
      const online = transitions.filter((one) => one.online).length;
      return { agents, online, offline: transitions.length - online };
    });
  }
}

function bounded(skewMs: number): number {
  return Math.round(Math.min(LARGEST_INTEGER, Math.max(-LARGEST_INTEGER, skewMs)));
}
