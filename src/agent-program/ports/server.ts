// Port. The server as an agent sees it. Throws ServerAwayError when no answer comes, ServerRefusesError when it is a no.
import { token } from '../../kernel/token';
import type { KeptIdentity } from '../domain/identity';

export interface Issued {
  readonly agentId: string;
  readonly certificate: string;
  readonly serverBundle: string | null;
  readonly agentUrl: string;
  readonly notAfter: Date;
  readonly renewAfter: Date;
}

export interface Heard {
  readonly nextHeartbeatSeconds: number;
  readonly reconnectSpreadSeconds: number;
  readonly renew: boolean;
}

export interface Server {
  enroll(server: string, body: { token: string; csr: string; name: string; version: string }): Promise<Issued>;
  recover(
    server: string,
    body: { certificate: string; csr: string; nonce: string; signature: string },
  ): Promise<Issued>;
  renew(identity: KeptIdentity, csr: string): Promise<Issued>;
  heartbeat(identity: KeptIdentity, now: Date): Promise<Heard>;
  /** Connections of an identity that is not used any more are closed. */
  close(): void;
}

export const Server = token<Server>('Server');
