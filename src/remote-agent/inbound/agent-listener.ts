// Inbound. The port for agents: TLS with client certificates that must be ours, no session tickets (a resumed session
// would be let in without a certificate), nothing but the agents' own addresses. Who comes in is checked again at every
// request, by agent.guard.ts.
import { constants } from 'node:crypto';
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, BlockList, isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../kernel/clock';
import type { AgentDoor } from '../usecases/agent-upkeep';
import type { AuthenticateAgent, ShownCertificate } from '../usecases/authenticate-agent';
import type { DoorCredentials, ReadDoorCredentials } from '../usecases/read-door-credentials';
import { noteCertificate } from './agent-connections';
import { certificateInHeader, IDENTITY_HEADERS } from './header-identity';

export const AGENT_PREFIX = '/agent/v1/';

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  readonly heartbeatIntervalSeconds: number;
  /** Undefined: we see the certificate ourselves. */
  readonly proxy?: { readonly header: string; readonly networks: readonly string[] };
}

export interface ListenerFacts {
  refused(code: string): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const BACKLOG = 4_096;
/** More than these wait for longer than they are willing to: they are told at once, and come back later. */
const MOST_HANDSHAKES = 512;
const HANDSHAKE_MS = 15_000;
const HEADERS_MS = 10_000;
/** Of a whole request: evidence may be large, and the way narrow. */
const REQUEST_MS = 3_600_000;
const LAST_ANSWERS_MS = 2_000;

export class AgentListener implements AgentDoor {
  private server: Server | undefined;
  private credentials: DoorCredentials | undefined;
  /** By their peers, since the two ends of a handshake are two sockets here. */
  private readonly handshakes = new Set<string>();
  private readonly seen = new WeakMap<Socket, Promise<ShownCertificate | undefined>>();
  private readonly trusted: BlockList;

  constructor(
    private readonly settings: ListenerSettings,
    private readonly authentication: AuthenticateAgent,
    private readonly readCredentials: ReadDoorCredentials,
    private readonly facts: ListenerFacts,
    private readonly clock: Clock,
  ) {
    this.trusted = networksOf(settings.proxy?.networks ?? []);
  }

  get isOpen(): boolean {
    return this.server?.listening === true;
  }

  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  connections(): Promise<number> {
    const { server } = this;
    if (server === undefined) return Promise.resolve(0);
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
  }

  /** @param handle the application, with its guards, pipes and filters */
  async open(handle: Handler): Promise<void> {
    const { host, port, proxy } = this.settings;
    const server = proxy === undefined ? await this.secure(handle) : createPlainServer(this.fromProxy(handle));
    // Longer than two beats: an agent that speaks again at the moment of closing would see its connection reset.
    server.keepAliveTimeout = Math.ceil(2.2 * this.settings.heartbeatIntervalSeconds + 29) * 1_000;
    server.headersTimeout = HEADERS_MS;
    server.requestTimeout = REQUEST_MS;
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  /** New connections see the new certificate and the new bundle; open ones are checked at every request anyway. */
  async refresh(now: Date): Promise<void> {
    if (this.server === undefined || this.settings.proxy !== undefined) return;
    const fresh = await this.readCredentials.run(now);
    if (sameCredentials(fresh, this.credentials)) return;
    (this.server as SecureServer).setSecureContext({ ...fresh, ...TLS });
    this.credentials = fresh;
  }

  /** Nest closes the main server only: this one would go on to answer. */
  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const overdue = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    await closed;
    clearTimeout(overdue);
    this.server = undefined;
  }

  private async secure(handle: Handler): Promise<Server> {
    const credentials = await this.readCredentials.run(this.clock.now());
    this.credentials = credentials;
    const server = createServer(
      { ...credentials, ...TLS, requestCert: true, rejectUnauthorized: true, handshakeTimeout: HANDSHAKE_MS },
      this.fromAgent(handle),
    );
    server.on('connection', (socket: Socket) => this.countHandshake(socket));
    server.on('secureConnection', (socket) => this.handshakes.delete(peerOf(socket)));
    server.on('tlsClientError', (error: NodeJS.ErrnoException) => this.facts.refused(error.code ?? 'unknown'));
    return server;
  }

  private countHandshake(socket: Socket): void {
    if (this.handshakes.size >= MOST_HANDSHAKES) {
      this.facts.refused('TOO_MANY_HANDSHAKES');
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    this.handshakes.add(peer);
    socket.once('close', () => this.handshakes.delete(peer));
  }

  private fromAgent(handle: Handler): Handler {
    return (request, response) => {
      if (!isAgentAddress(request)) return notFound(response);
      for (const header of IDENTITY_HEADERS) delete request.headers[header];
      noteCertificate(request, this.shownOn(request.socket as TLSSocket));
      handle(request, response);
    };
  }

  private fromProxy(handle: Handler): Handler {
    const { header = '' } = this.settings.proxy ?? {};
    return (request, response) => {
      if (!isAgentAddress(request) || !this.isTrusted(request.socket)) return notFound(response);
      const certificate = certificateInHeader(request.headers[header]);
      for (const name of IDENTITY_HEADERS) delete request.headers[name];
      const shown = certificate === undefined ? undefined : this.authentication.identify(certificate, this.clock.now());
      noteCertificate(request, shown ?? Promise.resolve(undefined));
      handle(request, response);
    };
  }

  /** Read once for each connection; whether it is still good is asked at each request. */
  private shownOn(socket: TLSSocket): Promise<ShownCertificate | undefined> {
    let shown = this.seen.get(socket);
    if (shown === undefined) {
      // `authorized` by itself says nothing about a resumed session.
      const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined;
      shown =
        certificate === undefined
          ? Promise.resolve(undefined)
          : this.authentication.identify(certificate.raw, this.clock.now());
      this.seen.set(socket, shown);
      shown.catch(() => this.seen.delete(socket));
    }
    return shown;
  }

  private isTrusted({ remoteAddress = '' }: Socket): boolean {
    const address = remoteAddress.replace(/^::ffff:/, '');
    return address !== '' && this.trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

const TLS = { minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET } as const;

function sameCredentials(one: DoorCredentials, other: DoorCredentials | undefined): boolean {
  return one.cert === other?.cert && one.key === other.key && one.ca === other.ca;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function isAgentAddress({ url }: IncomingMessage): boolean {
  return url?.startsWith(AGENT_PREFIX) === true;
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'Content-Length': '0' }).end();
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of texts.flatMap((text) => NAMED[text] ?? [text])) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
