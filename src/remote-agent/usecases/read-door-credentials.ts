// Use case. What the agents' port needs to be opened: its own certificate, and whom it trusts.
import type { CertificateAuthority } from '../ports/certificate-authority';
import type { ServerIdentity } from '../ports/server-identity';

export interface DoorCredentials {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export class ReadDoorCredentials {
  constructor(
    private readonly server: ServerIdentity,
    private readonly authority: CertificateAuthority,
  ) {}

  async run(now: Date): Promise<DoorCredentials> {
    this.authority.forget();
    const { certificate, key } = await this.server.current(now);
    return { cert: certificate, key, ca: await this.authority.bundle(now) };
  }
}
