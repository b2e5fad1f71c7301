// Use case, part of enrol, renew and recover: signs for an agent, and stores what was signed before it is handed out.
import { type Actor, systemActor } from '../../kernel/actor';
import { type CertificatePolicy, renewAfter, validityFrom } from '../domain/certificate';
import type { AgentIdentity } from '../domain/identity';
import type { AgentRepository } from '../ports/agent-repository';
import type { CertificateAuthority, RequestedKey } from '../ports/certificate-authority';

export interface IssuedCertificate {
  readonly agentId: string;
  readonly certificate: string;
  /** Whom the agent trusts from now on. */
  readonly bundle: string;
  readonly notAfter: Date;
  readonly renewAfter: Date;
}

const ISSUER: Actor = systemActor('certificates of agents');

export class IssueCertificate {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly agents: AgentRepository,
    private readonly policy: CertificatePolicy,
  ) {}

  async run(
    key: RequestedKey,
    identity: AgentIdentity,
    now: Date,
    { replacesAll = false } = {},
  ): Promise<IssuedCertificate> {
    const validity = validityFrom(now, this.policy);
    const { serial, certificate } = await this.authority.sign(key, identity, validity, now);
    const issued = {
      ...identity,
      ...validity,
      serial,
      keyFingerprint: key.fingerprint,
      issuedAt: now,
      firstUsedAt: null,
      revokedAt: null,
    };
    await this.agents.addCertificate(ISSUER, issued, { replacesAll });
    const bundle = await this.authority.bundle(now);
    return {
      agentId: identity.agentId,
      certificate,
      bundle,
      notAfter: validity.notAfter,
      renewAfter: renewAfter(issued),
    };
  }
}
