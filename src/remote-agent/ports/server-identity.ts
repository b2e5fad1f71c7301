// Port. The certificate that the agents' port shows of itself.
import { token } from '../../kernel/token';

export interface ServerCertificate {
  /** PEM, with its chain. */
  readonly certificate: string;
  readonly key: string;
}

export interface ServerIdentity {
  /** The same object until there is a new one. */
  current(now: Date): Promise<ServerCertificate>;
  /** PEM of those who vouch for it; null when agents trust them anyway. */
  vouchers(now: Date): Promise<string | null>;
}

export const ServerIdentity = token<ServerIdentity>('ServerIdentity');
