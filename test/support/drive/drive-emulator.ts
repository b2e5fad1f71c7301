// Test support. An emulator of Google Drive v3 with its OAuth endpoints on a port of its own, for tests and for
// `npm run demo:drive`. People's edits are made through `files`; what goes wrong is planned through `faults`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiAnswer, EmulatedApi } from './emulated-api';
import { EmulatedChannels } from './emulated-channels';
import { EmulatedFaults, type Fault } from './emulated-faults';
import { EmulatedFiles, EmulatedRefusal } from './emulated-files';
import { CLIENT, EmulatedOauth } from './emulated-oauth';

export const OWNER_ACCOUNT = 'owner@example.com';

export class DriveEmulator {
  /** Moves the emulator's clock: expiry of channels and tokens. */
  aheadMs = 0;
  readonly now = (): Date => new Date(Date.now() + this.aheadMs);
  readonly files = new EmulatedFiles(this.now);
  readonly channels = new EmulatedChannels(this.now);
  readonly oauth = new EmulatedOauth(this.now);
  readonly faults = new EmulatedFaults();
  readonly api = new EmulatedApi(this.files, this.channels);
  /** `METHOD /path` of every request, in order. */
  readonly requests: string[] = [];
  url = '';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.serve(request, response));
    this.files.onChange = (space) => this.channels.changed(space);
  }

  static async start(port = 0): Promise<DriveEmulator> {
    const emulator = new DriveEmulator();
    await new Promise<void>((resolve) => emulator.server.listen(port, '127.0.0.1', resolve));
    emulator.url = `http://127.0.0.1:${(emulator.server.address() as AddressInfo).port}`;
    return emulator;
  }

  /** What Horarium has to be told to talk to it. */
  settings(): Record<string, string> {
    return {
      DRIVE_API_ROOT_URL: this.url,
      DRIVE_OAUTH_AUTH_URL: `${this.url}/o/oauth2/v2/auth`,
      DRIVE_OAUTH_TOKEN_URL: `${this.url}/token`,
      DRIVE_OAUTH_REVOKE_URL: `${this.url}/revoke`,
      DRIVE_OAUTH_CLIENT_ID: CLIENT.id,
      DRIVE_OAUTH_CLIENT_SECRET: CLIENT.secret,
    };
  }

  async close(): Promise<void> {
    await this.channels.idle();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  space(account = OWNER_ACCOUNT): string {
    return `account:${account}`;
  }

  /** How often a request was made. */
  count(pattern: RegExp): number {
    return this.requests.filter((request) => pattern.test(request)).length;
  }

  downloads(): number {
    return this.count(/ media$|\/export$/);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const name = `${request.method} ${url.pathname}`;
    this.requests.push(name + (url.searchParams.has('alt') ? ' media' : ''));
    try {
      const fault = this.faults.take(`${name}${url.search}`);
      if (fault?.kind === 'reset-before') return void request.socket.destroy();
      const body = await bodyOf(request);
      if (fault?.kind === 'slow') await pause(fault.ms);
      if (fault?.kind === 'held') {
        fault.reached();
        await fault.until;
      }
      const refused = fault === undefined ? undefined : refusal(fault);
      const answer = refused ?? (await this.answer(request, url, body));
      if (fault?.kind === 'reset-after') return void request.socket.destroy();
      send(response, answer);
    } catch (error) {
      if (error instanceof EmulatedRefusal) send(response, { status: error.status, json: errorBody(error) });
      else send(response, { status: 500, json: { error: { code: 500, message: String(error), errors: [] } } });
    }
  }

  private async answer(request: IncomingMessage, url: URL, body: Buffer): Promise<ApiAnswer> {
    if (url.pathname === '/o/oauth2/v2/auth') {
      const account = url.searchParams.get('login_hint') ?? OWNER_ACCOUNT;
      return { status: 302, headers: { Location: this.oauth.consent(url.searchParams, account) } };
    }
    if (url.pathname === '/token') {
      const { status, body: json } = this.oauth.token(new URLSearchParams(body.toString()));
      return { status, json };
    }
    if (url.pathname === '/revoke') {
      const token = url.searchParams.get('token') ?? new URLSearchParams(body.toString()).get('token') ?? '';
      return { status: this.oauth.revoke(token), json: {} };
    }
    const account = this.oauth.accountOf(request.headers.authorization);
    if (account === undefined) throw new EmulatedRefusal(401, 'authError', 'Invalid Credentials');
    return this.api.answer({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      account,
      body,
      type: request.headers['content-type'] ?? '',
      origin: this.url,
      ...(request.headers['content-range'] === undefined ? {} : { range: request.headers['content-range'] }),
    });
  }
}

function refusal(fault: Fault): ApiAnswer | undefined {
  if (fault.kind === 'html') return { status: fault.status, bytes: Buffer.from('<html>Bad gateway</html>') };
  if (fault.kind !== 'answer') return undefined;
  const error = new EmulatedRefusal(fault.status, fault.reason ?? 'backendError');
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
  return { status: fault.status, json: errorBody(error), headers };
}

function errorBody({ status, reason, message, location }: EmulatedRefusal): object {
  const place = location === undefined ? {} : { location, locationType: 'parameter' };
  return { error: { code: status, message, errors: [{ domain: 'global', reason, message, ...place }] } };
}

function send(response: ServerResponse, { status, json, bytes, headers = {} }: ApiAnswer): void {
  const body = bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  const type = json === undefined ? {} : { 'Content-Type': 'application/json; charset=UTF-8' };
  response.writeHead(status, { ...type, ...(body === undefined ? {} : { 'Content-Length': body.length }), ...headers });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
