// Outbound adapter. Owns compliance.agents and agent_certificates. Rows of last_seen and presence are made with an
// enrolment (sql-enrollment-tokens.ts) and written by sql-last-seen.ts.
import { type Actor, systemActor, type UserActor } from '../../kernel/actor';
import { MicroBatch } from '../../platform/persistence/micro-batch';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import type { AgentCounts, RemoteAgent } from '../domain/agent';
import type { AgentCertificate } from '../domain/certificate';
import type { AgentFilter, AgentPage } from '../domain/listing';
import type { AgentChange, AgentRepository, CertificateState } from '../ports/agent-repository';
import { type AgentRow, type CertificateRow, type StateRow, toAgent, toCertificate, toState } from './agent.row';

/** The row of the timetable that looks for changed rights, and the topic of its wake-up. */
export const AGENT_RIGHTS = 'agent-rights';

const ONLINE = `coalesce(a.last_seen_at > horarium_now() - make_interval(secs => $1), false)`;

const AGENT = `
  select a.*, ${ONLINE} as is_online,
         (select max(c.not_after) from compliance.agent_certificates c
           where c.agent_id = a.id and c.revoked_at is null) as certificate_expires_at
    from compliance.remote_agents a`;

const FIND = `${AGENT} where a.id = $2`;

const LIST = `${AGENT}
   where ($2::text is null or ($2 = 'disabled' and a.disabled_at is not null)
          or ($2 = 'online' and a.disabled_at is null and ${ONLINE})
          or ($2 = 'offline' and a.disabled_at is null and not ${ONLINE}))
     and ($3::text[] is null or a.labels @> $3)
     and ($4::text is null or strpos(lower(a.name), lower($4)) > 0)
     and ($5::timestamptz is null or (a.created_at, a.id) < ($5, $6::uuid))
   order by a.created_at desc, a.id desc
   limit $7`;

const COUNTS = `
  select count(*)::integer as total,
         count(*) filter (where a.disabled_at is null and ${ONLINE})::integer as online,
         count(*) filter (where a.disabled_at is null and not ${ONLINE})::integer as offline,
         count(*) filter (where a.disabled_at is not null)::integer as disabled,
         count(*) filter (where a.suspected_clone_at is not null)::integer as suspected_clones,
         count(*) filter (where e.ends between horarium_now() and horarium_now() + interval '1 day')::integer as expiring_soon
    from compliance.remote_agents a
    left join (select agent_id, max(not_after) as ends from compliance.agent_certificates
                where revoked_at is null group by agent_id) e on e.agent_id = a.id`;

/** The time of a change is the database's, since changes are looked for by it. Enabling clears a suspicion. */
const CHANGE = `
  update compliance.agents
     set name = coalesce($3, name),
         labels = coalesce($4::text[], labels),
         disabled_at = case when $5::boolean then coalesce(disabled_at, $2) when not $5 then null else disabled_at end,
         suspected_clone_at = case when not $5::boolean then null else suspected_clone_at end,
         changed_at = horarium_now()
   where id = $1 and deleted_at is null
  returning id`;

const DELETE = `
  update compliance.agents set deleted_at = $2, changed_at = horarium_now()
   where id = $1 and deleted_at is null returning id`;

/** What was revoked before keeps its time. */
const REVOKE = `
  update compliance.agent_certificates set revoked_at = horarium_now()
   where agent_id = $1 and revoked_at is null returning serial`;

const CLEAN_UP_DELETED = [
  'delete from compliance.agent_last_seen where agent_id = $1',
  'delete from compliance.agent_presence where agent_id = $1',
  'update compliance.enrollment_tokens set withdrawn_at = coalesce(withdrawn_at, horarium_now()) where agent_id = $1',
];

const ADD_CERTIFICATE = `
  insert into compliance.agent_certificates
    (serial, tenant_id, agent_id, key_fingerprint, issued_at, not_before, not_after, replaces_all)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const CERTIFICATES = `
  select * from compliance.agent_certificates where agent_id = $1 order by issued_at desc, serial limit 100`;

const STATES = `
  select c.serial, c.tenant_id, c.agent_id, c.not_after, c.issued_at, c.first_used_at is not null as used,
         c.revoked_at is not null as revoked, a.disabled_at is not null as disabled,
         a.deleted_at is not null as deleted, a.labels
    from compliance.agent_certificates c join compliance.agents a on a.id = c.agent_id
   where c.serial = any($1)`;

/** Of two requests that use it first, one notes it; both see what it replaces revoked. */
const FIRST_USE = `
  update compliance.agent_certificates set first_used_at = $2
   where serial = $1 and first_used_at is null
  returning agent_id, replaces_all`;

const REVOKE_OTHERS = `
  update compliance.agent_certificates set revoked_at = horarium_now()
   where agent_id = $1 and serial <> $2 and revoked_at is null returning serial`;

const CHANGED = `
  select c.serial from compliance.agents a join compliance.agent_certificates c on c.agent_id = a.id
   where a.changed_at >= $1
  union
  select serial from compliance.agent_certificates where revoked_at >= $1`;

const FLAG_CLONE = `
  update compliance.agents set suspected_clone_at = coalesce(suspected_clone_at, $2) where id = $1`;

const PRUNE_CERTIFICATES = `
  with gone as (
    delete from compliance.agent_certificates where serial in (
      select serial from compliance.agent_certificates where not_after < $1 limit 10000
    ) returning 1
  ) select count(*)::integer as gone from gone`;

const PRUNE_TOKENS = `
  with gone as (delete from compliance.enrollment_tokens where expires_at < $1 returning 1)
  select count(*)::integer as gone from gone`;

const KEEPER = systemActor('rights of remote agents');

export class SqlAgentRepository implements AgentRepository {
  private readonly lookups: MicroBatch<readonly string[], CertificateState[]>;

  constructor(
    private readonly sessions: Sessions,
    private readonly offlineThresholdSeconds: number,
    batch: { readonly windowMs: number; readonly max: number },
  ) {
    this.lookups = new MicroBatch((asked) => this.lookUp(asked), batch);
  }

  async find(actor: UserActor, id: string): Promise<RemoteAgent | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await this.query<AgentRow>(actor, FIND, [this.offlineThresholdSeconds, id]);
    return row === undefined ? undefined : toAgent(row);
  }

  async list(actor: UserActor, filter: AgentFilter, { limit, after }: AgentPage): Promise<RemoteAgent[]> {
    const { state = null, labels = null, text = null } = filter;
    const place = [after?.createdAt ?? null, after?.id ?? null];
    const params = [this.offlineThresholdSeconds, state, labels, text, ...place, limit];
    return (await this.query<AgentRow>(actor, LIST, params)).map(toAgent);
  }

  async counts(actor: UserActor): Promise<AgentCounts> {
    const [row] = await this.query<Record<string, number>>(actor, COUNTS, [this.offlineThresholdSeconds]);
    const { total = 0, online = 0, offline = 0, disabled = 0, suspected_clones = 0, expiring_soon = 0 } = row ?? {};
    return { total, online, offline, disabled, suspectedClones: suspected_clones, expiringSoon: expiring_soon };
  }

  async change(actor: UserActor, id: string, { name, labels, disabled }: AgentChange, now: Date): Promise<boolean> {
    if (!isUuid(id)) return false;
    return this.sessions.run(actor, async (tx) => {
      const params = [id, now, name ?? null, labels ?? null, disabled ?? null];
      return wakeWhen(tx, (await tx.query(CHANGE, params)).length > 0);
    });
  }

  async delete(actor: UserActor, id: string, now: Date): Promise<boolean> {
    if (!isUuid(id)) return false;
    return this.sessions.run(actor, async (tx) => {
      if ((await tx.query(DELETE, [id, now])).length === 0) return false;
      await tx.query(REVOKE, [id]);
      for (const statement of CLEAN_UP_DELETED) await tx.query(statement, [id]);
      return wakeWhen(tx, true);
    });
  }

  async revoke(actor: UserActor, id: string): Promise<number | undefined> {
    if ((await this.find(actor, id)) === undefined) return undefined;
    return this.sessions.run(actor, async (tx) => {
      const revoked = await tx.query(REVOKE, [id]);
      wakeWhen(tx, revoked.length > 0);
      return revoked.length;
    });
  }

  async addCertificate(actor: Actor, one: AgentCertificate, { replacesAll }: { replacesAll: boolean }): Promise<void> {
    const { serial, tenantId, agentId, keyFingerprint, issuedAt, notBefore, notAfter } = one;
    const params = [serial, tenantId, agentId, keyFingerprint, issuedAt, notBefore, notAfter, replacesAll];
    await this.query(actor, ADD_CERTIFICATE, params);
  }

  async certificates(actor: Actor, agentId: string): Promise<AgentCertificate[]> {
    return (await this.query<CertificateRow>(actor, CERTIFICATES, [agentId])).map(toCertificate);
  }

  states(serials: readonly string[]): Promise<CertificateState[]> {
    return this.lookups.add(serials);
  }

  async firstUse(serial: string, now: Date): Promise<void> {
    await this.sessions.run(KEEPER, async (tx) => {
      const [used] = await tx.query<{ agent_id: string; replaces_all: boolean }>(FIRST_USE, [serial, now]);
      if (used?.replaces_all !== true) return;
      const revoked = await tx.query(REVOKE_OTHERS, [used.agent_id, serial]);
      wakeWhen(tx, revoked.length > 0);
    });
  }

  async changedSince(moment: Date): Promise<string[]> {
    return (await this.query<{ serial: string }>(KEEPER, CHANGED, [moment])).map(({ serial }) => serial);
  }

  async flagClone(agentId: string, now: Date): Promise<void> {
    await this.query(KEEPER, FLAG_CLONE, [agentId, now]);
  }

  async prune(before: Date): Promise<number> {
    return this.sessions.run(KEEPER, async (tx) => {
      let gone = 0;
      for (const statement of [PRUNE_CERTIFICATES, PRUNE_TOKENS]) {
        gone += (await tx.query<{ gone: number }>(statement, [before]))[0]?.gone ?? 0;
      }
      return gone;
    });
  }

  private async lookUp(asked: readonly (readonly string[])[]): Promise<CertificateState[][]> {
    const rows = await this.query<StateRow>(KEEPER, STATES, [[...new Set(asked.flat())]]);
    const states = new Map(rows.map((row) => [row.serial, toState(row)]));
    return asked.map((serials) => serials.flatMap((serial) => states.get(serial) ?? []));
  }

  private query<R>(actor: Actor, text: string, params: readonly unknown[]): Promise<R[]> {
    return this.sessions.run(actor, (tx) => tx.query<R>(text, params));
  }
}

function wakeWhen(tx: Tx, changed: boolean): boolean {
  if (changed) tx.wakeAfterCommit(AGENT_RIGHTS);
  return changed;
}

/** What is no id is nobody's; the database would call it an error. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
