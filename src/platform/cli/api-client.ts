// Platform, command line. The server as commands see it: where it is, who asks, and refusals as errors with a kind.
// The token goes into one header and nowhere else.
import { readFile } from 'node:fs/promises';
import { request as requestHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Problem } from '../protocol/problem';
import { NoServerError, NotHorariumError, ServerRefusedError } from './api-errors';

export interface ApiSettings {
  /** Without its closing slash. */
  readonly url: string;
  readonly token?: string;
  /** The operator's token of this machine; absent where it would go to another one. */
  readonly tokenFile?: string;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

export interface Listing<T> {
  readonly items: T[];
  /** There may be more than was asked for. */
  readonly more: boolean;
}

const ANSWER_WITHIN_MS = 30_000;
const LARGEST_PAGE = 200;
const NEXT_CURSOR = 'x-next-cursor';

export class ApiClient {
  constructor(
    private readonly settings: ApiSettings,
    private readonly answerWithinMs = ANSWER_WITHIN_MS,
  ) {}

  get url(): string {
    return this.settings.url;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return (await this.demand('GET', withQuery(path, query))).body as T;
  }

  async post<T>(path: string, body?: object): Promise<T> {
    return (await this.demand('POST', path, body)).body as T;
  }

  async patch<T>(path: string, body: object): Promise<T> {
    return (await this.demand('PATCH', path, body)).body as T;
  }

  async put<T>(path: string, body: object): Promise<T> {
    return (await this.demand('PUT', path, body)).body as T;
  }

  async delete<T>(path: string): Promise<T> {
    return (await this.demand('DELETE', path)).body as T;
  }

  /** The newest `wanted` items, over as many pages as it takes. */
  async list<T>(path: string, query: Query, wanted: number): Promise<Listing<T>> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const limit = Math.min(LARGEST_PAGE, wanted - items.length);
      const { body, headers } = await this.demand('GET', withQuery(path, { ...query, limit, cursor }));
      items.push(...(body as T[]));
      const next = headers[NEXT_CURSOR];
      cursor = typeof next === 'string' ? next : undefined;
    } while (cursor !== undefined && items.length < wanted);
    return { items, more: cursor !== undefined };
  }

  /** Whatever the server answers, refusals too. @throws NoServerError, NotHorariumError */
  async ask(method: string, path: string, content?: object): Promise<Answer> {
    const token = await this.token();
    const headers: Record<string, string> = { accept: 'application/json' };
    if (typeof token === 'string') headers['authorization'] = `Bearer ${token}`;
    if (content !== undefined) headers['content-type'] = 'application/json';
    const body = content === undefined ? undefined : JSON.stringify(content);
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const signal = AbortSignal.timeout(this.answerWithinMs);
    let raw: RawAnswer;
    try {
      raw = await send(new URL(this.url + path), { method, headers, signal }, body);
    } catch (error) {
      throw this.unreachable(error as NodeJS.ErrnoException, method);
    }
    return { status: raw.status, body: this.bodyOf(raw), headers: raw.headers };
  }

  private async demand(method: string, path: string, content?: object): Promise<Answer> {
    const answer = await this.ask(method, path, content);
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (!isProblem(answer.body)) {
      throw new NotHorariumError(`${this.url} answers ${answer.status}: is that a Horarium server?`);
    }
    throw new ServerRefusedError(answer.body, await this.hintFor(answer.body));
  }

  private async hintFor({ status, code, request_id: id }: Problem): Promise<string | undefined> {
    if (status === 401) {
      const token = await this.token();
      return typeof token === 'string' ? TOKEN_HINT : `no token was sent: ${token.missing}. ${TOKEN_HINT}`;
    }
    if (code === 'platform.internal') return `the server's log has the reason, under ${id ?? 'the time of now'}`;
    if (code === 'request.unknown-route') return `is ${this.url} a Horarium server of this version?`;
    return undefined;
  }

  /** Read at each request: it is made anew while the server starts. */
  private async token(): Promise<string | { readonly missing: string }> {
    const { token, tokenFile } = this.settings;
    if (token !== undefined) return token;
    if (tokenFile === undefined) {
      return { missing: `HORARIUM_TOKEN is not set, and this machine's own token is not sent to ${this.url}` };
    }
    try {
      return (await readFile(tokenFile, 'utf8')).trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
      return { missing: `HORARIUM_TOKEN is not set, and ${tokenFile} ${why}` };
    }
  }

  private bodyOf({ status, headers: { location, 'content-type': type }, text }: RawAnswer): unknown {
    // A redirection is not followed: a POST would arrive as a GET, and the token at somebody else's.
    if (location !== undefined && status >= 300 && status < 400) {
      throw new NotHorariumError(`${this.url} sends us to ${location}: set HORARIUM_URL to where the server is.`);
    }
    if (text === '') return undefined;
    if (type?.startsWith('text/csv')) return text;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const what = `${this.url} answers ${status} with something else than JSON`;
      throw new NotHorariumError(`${what}: is that a Horarium server?`);
    }
  }

  private unreachable(cause: NodeJS.ErrnoException, method: string): NoServerError {
    if (cause.name === 'AbortError') {
      const open = method === 'GET' ? '' : ' What was asked may have been done all the same: look before asking again.';
      return new NoServerError(`${this.url} did not answer within ${this.answerWithinMs / 1_000} s.${open}`, { cause });
    }
    const message =
      cause.code === 'ECONNREFUSED'
        ? `No Horarium server answers at ${this.url}; start one with \`npm start\`, or set HORARIUM_URL.`
        : `${this.url} cannot be reached (${cause.message || cause.code}); is HORARIUM_URL right?`;
    return new NoServerError(message, { cause, nobodyListens: cause.code === 'ECONNREFUSED' });
  }
}

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Not fetch: it takes longer to load than a command to run, and refuses ports on which a server may well listen. */
function send(url: URL, options: RequestOptions, body: string | undefined): Promise<RawAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(parts).toString() });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const TOKEN_HINT = 'set HORARIUM_TOKEN; `horarium token create --tenant 1 --user <name>` makes one beside the server';

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function isProblem(body: unknown): body is Problem {
  const { status, code, detail } = (body ?? {}) as Partial<Problem>;
  return typeof status === 'number' && typeof code === 'string' && typeof detail === 'string';
}
