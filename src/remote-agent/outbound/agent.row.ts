// Outbound. compliance.remote_agents and agent_certificates, column by column.
import type { RemoteAgent } from '../domain/agent';
import type { AgentCertificate } from '../domain/certificate';
import type { CertificateState } from '../ports/agent-repository';

export interface AgentRow {
  id: string;
  tenant_id: number;
  name: string;
  version: string;
  labels: string[];
  created_at: Date;
  disabled_at: Date | null;
  suspected_clone_at: Date | null;
  last_seen_at: Date | null;
  clock_skew_ms: number | null;
  is_online: boolean;
  certificate_expires_at: Date | null;
}

export function toAgent(row: AgentRow): RemoteAgent {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    version: row.version,
    labels: row.labels,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    suspectedCloneAt: row.suspected_clone_at,
    lastSeenAt: row.last_seen_at,
    isOnline: row.is_online,
    clockSkewMs: row.clock_skew_ms,
    certificateExpiresAt: row.certificate_expires_at,
  };
}

export interface CertificateRow {
  serial: string;
  tenant_id: number;
  agent_id: string;
  key_fingerprint: string;
  issued_at: Date;
  not_before: Date;
  not_after: Date;
  first_used_at: Date | null;
  revoked_at: Date | null;
}

export function toCertificate(row: CertificateRow): AgentCertificate {
  return {
    serial: row.serial,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    keyFingerprint: row.key_fingerprint,
    issuedAt: row.issued_at,
    notBefore: row.not_before,
    notAfter: row.not_after,
    firstUsedAt: row.first_used_at,
    revokedAt: row.revoked_at,
  };
}

export interface StateRow {
  serial: string;
  tenant_id: number;
  agent_id: string;
  not_after: Date;
  issued_at: Date;
  used: boolean;
  revoked: boolean;
  disabled: boolean;
  deleted: boolean;
  labels: string[];
}

export function toState({ tenant_id, agent_id, not_after, issued_at, ...same }: StateRow): CertificateState {
  return { ...same, tenantId: tenant_id, agentId: agent_id, notAfter: not_after, issuedAt: issued_at };
}
