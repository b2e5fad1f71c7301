// Outbound adapter. The server over HTTPS: its ordinary port, and the one for agents on connections that are kept.
import { Agent } from 'node:https';
import type { KeptIdentity } from '../domain/identity';
import type { Heard, Issued, Server } from '../ports/server';
import { askJson, type JsonRequest } from './json-over-tls';

interface CertificateBody {
  readonly agent_id: string;
  readonly certificate: string;
  readonly server_ca_bundle: string | null;
  readonly agent_url: string;
  readonly not_after: string;
  readonly renew_after: string;
}

interface HeartbeatBody {
  readonly next_heartbeat_sec: number;
  readonly reconnect_spread_sec: number;
  readonly renew: boolean;
}

export class JsonServer implements Server {
  private kept: { readonly certificate: string; readonly agent: Agent } | undefined;

  enroll(server: string, body: { token: string; csr: string; name: string; version: string }): Promise<Issued> {
    return this.certificate(`${server}/api/1.0/remote-agents/enroll`, { body });
  }

  recover(
    server: string,
    body: { certificate: string; csr: string; nonce: string; signature: string },
  ): Promise<Issued> {
    return this.certificate(`${server}/api/1.0/remote-agents/recover`, { body });
  }

  renew(identity: KeptIdentity, csr: string): Promise<Issued> {
    return this.certificate(`${identity.agentUrl}/agent/v1/renew`, { body: { csr }, agent: this.agentOf(identity) });
  }

  async heartbeat(identity: KeptIdentity, now: Date): Promise<Heard> {
    const heard = await this.ask<HeartbeatBody>(identity, 'heartbeat', { body: { time: now.toISOString() } });
    return {
      nextHeartbeatSeconds: heard?.next_heartbeat_sec ?? 30,
      reconnectSpreadSeconds: heard?.reconnect_spread_sec ?? 30,
      renew: heard?.renew === true,
    };
  }

  /** Anything else on the port for agents. */
  ask<T>(identity: KeptIdentity, path: string, request: JsonRequest): Promise<T | undefined> {
    return askJson<T>(`${identity.agentUrl}/agent/v1/${path}`, { ...request, agent: this.agentOf(identity) });
  }

  /** What is under way ends by itself; nothing new goes over these. */
  close(): void {
    const agent = this.kept?.agent;
    this.kept = undefined;
    for (const sockets of Object.values(agent?.freeSockets ?? {})) for (const socket of sockets ?? []) socket.destroy();
  }

  private async certificate(url: string, request: JsonRequest): Promise<Issued> {
    const body = await askJson<CertificateBody>(url, request);
    if (body === undefined) throw new Error('no certificate in the answer');
    return {
      agentId: body.agent_id,
      certificate: body.certificate,
      serverBundle: body.server_ca_bundle,
      agentUrl: body.agent_url,
      notAfter: new Date(body.not_after),
      renewAfter: new Date(body.renew_after),
    };
  }

  private agentOf({ certificate, key, serverBundle }: KeptIdentity): Agent {
    if (this.kept?.certificate !== certificate) {
      this.close();
      const trust = serverBundle === null ? {} : { ca: serverBundle };
      const agent = new Agent({ keepAlive: true, cert: certificate, key, ...trust, minVersion: 'TLSv1.2' });
      this.kept = { certificate, agent };
    }
    return this.kept.agent;
  }
}
