// Domain. Who an agent is, as its certificate says it.

export interface AgentIdentity {
  readonly tenantId: number;
  readonly agentId: string;
}

const FORM = /^spiffe:\/\/horarium\/tenant\/([1-9]\d{0,9})\/agent\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function identityUri({ tenantId, agentId }: AgentIdentity): string {
  return `spiffe://horarium/tenant/${tenantId}/agent/${agentId}`;
}

export function parseIdentity(uri: string): AgentIdentity | undefined {
  const [, tenant, agentId] = FORM.exec(uri) ?? [];
  return tenant === undefined || agentId === undefined ? undefined : { tenantId: Number(tenant), agentId };
}
