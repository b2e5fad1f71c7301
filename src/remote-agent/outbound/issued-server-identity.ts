// Outbound adapter. A certificate for the agents' port from the authority for agents; a new key with each.
import type { ServerCertificate, ServerIdentity } from '../ports/server-identity';
import type { IssuedForServer, X509CertificateAuthority } from './x509-certificate-authority';

const LIFE_MS = 30 * 86_400_000;

export class IssuedServerIdentity implements ServerIdentity {
  private issued: (IssuedForServer & { readonly renewAt: number; readonly bundle: string }) | undefined;

  constructor(
    private readonly authority: X509CertificateAuthority,
    /** Under which the port is found. */
    private readonly names: readonly string[],
  ) {}

  async current(now: Date): Promise<ServerCertificate> {
    const bundle = await this.authority.bundle(now);
    if (this.issued === undefined || this.issued.renewAt <= now.getTime() || this.issued.bundle !== bundle) {
      const validity = { notBefore: new Date(now.getTime() - 3_600_000), notAfter: new Date(now.getTime() + LIFE_MS) };
      const issued = await this.authority.serverCertificate(this.names, validity, now);
      this.issued = { ...issued, bundle, renewAt: now.getTime() + LIFE_MS / 2 };
    }
    return this.issued;
  }

  vouchers(now: Date): Promise<string> {
    return this.authority.bundle(now);
  }
}
