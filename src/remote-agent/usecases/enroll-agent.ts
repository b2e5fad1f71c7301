// Use case. Lets a machine in: token and key in, certificate out. Whoever fails often is not listened to for a while.
import type { Ids } from '../../kernel/ids';
import { agentName, agentVersion } from '../domain/agent';
import { type Attempts, isStrangersFault } from '../domain/attempts';
import { looksLikeToken } from '../domain/enrollment-token';
import { TokenInvalidError, TokenUsedError, TooManyAttemptsError } from '../domain/errors';
import type { CertificateAuthority } from '../ports/certificate-authority';
import type { EnrollmentTokens } from '../ports/enrollment-tokens';
import type { TokenSecrets } from '../ports/token-secrets';
import type { IssueCertificate, IssuedCertificate } from './issue-certificate';

export interface EnrollInput {
  readonly token: string;
  readonly csr: string;
  readonly name: string;
  readonly version?: string;
  /** Where the request came from. */
  readonly address: string;
}

export class EnrollAgent {
  constructor(
    private readonly tokens: EnrollmentTokens,
    private readonly secrets: TokenSecrets,
    private readonly authority: CertificateAuthority,
    private readonly issue: IssueCertificate,
    private readonly attempts: Attempts,
    private readonly ids: Ids,
  ) {}

  async run(input: EnrollInput, now: Date): Promise<IssuedCertificate> {
    const tokenHash = this.secrets.hash(input.token);
    const strangers = [`address ${input.address}`, `token ${Buffer.from(tokenHash).toString('hex')}`];
    if (!strangers.every((one) => this.attempts.allowed(one, now))) throw new TooManyAttemptsError();
    try {
      return await this.letIn(input, tokenHash, now);
    } catch (error) {
      if (isStrangersFault(error)) for (const one of strangers) this.attempts.failed(one, now);
      throw error;
    }
  }

  private async letIn(input: EnrollInput, tokenHash: Uint8Array, now: Date): Promise<IssuedCertificate> {
    const name = agentName(input.name);
    const version = agentVersion(input.version);
    // Before the request is read: that is work, and a stranger's.
    if (!looksLikeToken(input.token) || !(await this.tokens.isOpen(tokenHash, now))) throw new TokenInvalidError();
    const key = await this.authority.readRequest(input.csr);
    const claim = { tokenHash, keyFingerprint: key.fingerprint, agentId: this.ids.uuid(), name, version };
    const result = await this.tokens.claim(claim, now);
    if (result.outcome === 'invalid') throw new TokenInvalidError();
    if (result.outcome === 'used') throw new TokenUsedError();
    const { agentId, tenantId, replacesAll } = result;
    return this.issue.run(key, { agentId, tenantId }, now, { replacesAll });
  }
}
