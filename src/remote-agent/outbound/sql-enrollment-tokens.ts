// Outbound adapter. Owns compliance.enrollment_tokens and enrollment_uses; a claim makes the agent with its rows.
import { systemActor, type UserActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { EnrollmentToken } from '../domain/enrollment-token';
import type { Claim, ClaimResult, EnrollmentTokens } from '../ports/enrollment-tokens';
import { isUuid } from './sql-agent-repository';

const ADD = `
  insert into compliance.enrollment_tokens
    (id, tenant_id, token_hash, created_by, created_at, expires_at, max_uses, agent_id, labels)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const LIST = `
  select t.*, (select count(*)::integer from compliance.enrollment_uses u where u.token_id = t.id) as uses
    from compliance.enrollment_tokens t
   where t.withdrawn_at is null and t.expires_at > $1
   order by t.created_at desc, t.id desc limit 500`;

const WITHDRAW = `
  update compliance.enrollment_tokens set withdrawn_at = $2
   where id = $1 and withdrawn_at is null and expires_at > $2 returning id`;

const IS_OPEN = `
  select 1 from compliance.enrollment_tokens where token_hash = $1 and withdrawn_at is null and expires_at > $2`;

/** The arbiter: whoever holds the token's row counts its uses; all others wait here, and count after it. */
const HOLD = `
  select id, tenant_id, max_uses, agent_id, labels from compliance.enrollment_tokens
   where token_hash = $1 and withdrawn_at is null and expires_at > $2 for update`;

const USES = `select key_fingerprint, agent_id from compliance.enrollment_uses where token_id = $1`;

const USE = `
  insert into compliance.enrollment_uses (token_id, tenant_id, key_fingerprint, agent_id, used_at)
  values ($1, $2, $3, $4, $5)`;

const MAKE_AGENT = `
  with made as (
    insert into compliance.agents (id, tenant_id, name, version, labels, created_at)
    values ($1, $2, $3, $4, $5, $6) returning id, tenant_id
  ), seen as (
    insert into compliance.agent_last_seen (agent_id, tenant_id) select id, tenant_id from made
  )
  insert into compliance.agent_presence (agent_id, tenant_id, announced_online) select id, tenant_id, false from made`;

const REMAKE_AGENT = `
  update compliance.agents set version = $2, suspected_clone_at = null
   where id = $1 and deleted_at is null returning id`;

interface TokenRow {
  id: string;
  tenant_id: number;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  max_uses: number;
  uses: number;
  agent_id: string | null;
  labels: string[];
}

const DOOR = systemActor('enrolment of remote agents');

export class SqlEnrollmentTokens implements EnrollmentTokens {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: UserActor, token: EnrollmentToken, hash: Uint8Array): Promise<void> {
    const { id, tenantId, createdBy, createdAt, expiresAt, maxUses, agentId, labels } = token;
    const params = [id, tenantId, hash, createdBy, createdAt, expiresAt, maxUses, agentId, labels];
    await this.sessions.run(actor, (tx) => tx.query(ADD, params));
  }

  async list(actor: UserActor, now: Date): Promise<EnrollmentToken[]> {
    return (await this.sessions.run(actor, (tx) => tx.query<TokenRow>(LIST, [now]))).map(toToken);
  }

  async withdraw(actor: UserActor, id: string, now: Date): Promise<boolean> {
    if (!isUuid(id)) return false;
    return (await this.sessions.run(actor, (tx) => tx.query(WITHDRAW, [id, now]))).length > 0;
  }

  async isOpen(hash: Uint8Array, now: Date): Promise<boolean> {
    return (await this.sessions.run(DOOR, (tx) => tx.query(IS_OPEN, [hash, now]))).length > 0;
  }

  claim({ tokenHash, keyFingerprint, agentId, name, version }: Claim, now: Date): Promise<ClaimResult> {
    return this.sessions.run(DOOR, async (tx): Promise<ClaimResult> => {
      const [token] = await tx.query<TokenRow>(HOLD, [tokenHash, now]);
      if (token === undefined) return { outcome: 'invalid' };
      const { id, tenant_id: tenantId, agent_id: bound } = token;
      const uses = await tx.query<{ key_fingerprint: string; agent_id: string }>(USES, [id]);
      const before = uses.find(({ key_fingerprint }) => key_fingerprint === keyFingerprint);
      const claimed = { outcome: 'claimed', tenantId, replacesAll: bound !== null } as const;
      if (before !== undefined) return { ...claimed, agentId: before.agent_id };
      if (uses.length >= token.max_uses) return { outcome: 'used' };
      if (bound === null) await tx.query(MAKE_AGENT, [agentId, tenantId, name, version, token.labels, now]);
      else if ((await tx.query(REMAKE_AGENT, [bound, version])).length === 0) return { outcome: 'invalid' };
      await tx.query(USE, [id, tenantId, keyFingerprint, bound ?? agentId, now]);
      return { ...claimed, agentId: bound ?? agentId };
    });
  }
}

function toToken(row: TokenRow): EnrollmentToken {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    maxUses: row.max_uses,
    uses: row.uses,
    agentId: row.agent_id,
    labels: row.labels,
  };
}
