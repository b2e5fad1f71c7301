// Use case. The authority that signs for agents: what it is, and how it is replaced without a day on which all must act.
import type { CertificatePolicy } from '../domain/certificate';
import type { AuthorityFacts, CertificateAuthority } from '../ports/certificate-authority';

export type { AuthorityFacts };

export class ManageAuthority {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly policy: CertificatePolicy,
  ) {}

  show(now: Date): Promise<AuthorityFacts[]> {
    return this.authority.all(now);
  }

  /** The one before is trusted until its last certificate has ended, and can be recovered no more. */
  async rotate(now: Date): Promise<AuthorityFacts[]> {
    const { lifeSeconds, recoverySeconds } = this.policy;
    const until = new Date(now.getTime() + (lifeSeconds + recoverySeconds) * 1_000);
    return this.authority.rotate(now, until);
  }
}
