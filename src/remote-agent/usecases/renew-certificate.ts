// Use case. A new key and a new certificate for an agent that came in with a good one, or (recovery) with one that ended
// not long ago and whose key it still has.
import { systemActor } from '../../kernel/actor';
import { type Attempts, isStrangersFault } from '../domain/attempts';
import { type CertificatePolicy, isRecoverable, isSuperseded, recoveryText } from '../domain/certificate';
import {
  AgentDisabledError,
  CertificateExpiredError,
  CertificateRevokedError,
  CertificateSupersededError,
  CertificateUnknownError,
  ProofInvalidError,
  TooManyAttemptsError,
} from '../domain/errors';
import type { AgentIdentity } from '../domain/identity';
import type { AgentRepository } from '../ports/agent-repository';
import type { CertificateAuthority, RequestedKey } from '../ports/certificate-authority';
import type { IssueCertificate, IssuedCertificate } from './issue-certificate';

export interface RecoverInput {
  readonly certificate: string;
  readonly csr: string;
  readonly nonce: string;
  readonly signature: Uint8Array;
  readonly address: string;
}

const RENEWAL = systemActor('renewal of an agent’s certificate');

export class RenewCertificate {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly agents: AgentRepository,
    private readonly issue: IssueCertificate,
    private readonly attempts: Attempts,
    private readonly policy: CertificatePolicy,
  ) {}

  /** Over mTLS: who asks has been checked already. */
  async renew(
    identity: AgentIdentity & { readonly serial: string },
    csr: string,
    now: Date,
  ): Promise<IssuedCertificate> {
    return this.next(identity, await this.authority.readRequest(csr), now);
  }

  /** On the ordinary port: the old key has to prove itself. */
  async recover(input: RecoverInput, now: Date): Promise<IssuedCertificate> {
    const stranger = `address ${input.address}`;
    if (!this.attempts.allowed(stranger, now)) throw new TooManyAttemptsError();
    try {
      return await this.proven(input, now);
    } catch (error) {
      if (isStrangersFault(error)) this.attempts.failed(stranger, now);
      throw error;
    }
  }

  private async proven({ certificate, csr, nonce, signature }: RecoverInput, now: Date): Promise<IssuedCertificate> {
    const shown = await this.authority.examine(certificate, now);
    if (shown === undefined) throw new ProofInvalidError('the certificate is not one of ours');
    const [state] = await this.agents.states([shown.serial]);
    if (state === undefined || state.deleted || state.agentId !== shown.agentId || state.tenantId !== shown.tenantId) {
      throw new CertificateUnknownError();
    }
    if (state.revoked) throw new CertificateRevokedError();
    if (state.disabled) throw new AgentDisabledError();
    if (this.policy.recoverySeconds === 0 || !isRecoverable(shown, this.policy, now)) {
      throw new CertificateExpiredError(shown.notAfter);
    }
    const key = await this.authority.readRequest(csr);
    if (!this.authority.proves(certificate, recoveryText(nonce, key.requestHash), signature)) {
      throw new ProofInvalidError('the signature is not by the key of the certificate');
    }
    return this.next(shown, key, now);
  }

  private async next(
    { tenantId, agentId, serial }: AgentIdentity & { readonly serial: string },
    key: RequestedKey,
    now: Date,
  ): Promise<IssuedCertificate> {
    const certificates = await this.agents.certificates(RENEWAL, agentId);
    const current = certificates.find((one) => one.serial === serial);
    if (current === undefined) throw new CertificateUnknownError();
    if (isSuperseded(current, certificates)) {
      await this.agents.flagClone(agentId, now);
      throw new CertificateSupersededError();
    }
    return this.issue.run(key, { tenantId, agentId }, now);
  }
}
