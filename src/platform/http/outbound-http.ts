// Platform, outgoing HTTP. The one way to call a URL that a person gave us. The address is judged when the connection is
// made, after the name was resolved and for exactly the addresses that are then connected to: a name that is public
// when it is checked and private a moment later (DNS rebinding) gains nothing. Every redirect is judged the same way.
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { AddressGuard } from './address-guard';
import type { AllowedDestination } from './allowed-destinations';
import { DestinationRefusedError, NoAnswerError } from './errors';
import { inWords } from './network-errors';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything: resolving, connecting, sending, and the answer to its last byte. */
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
  /** What happens to a longer answer: `refuse` it, or `cut` it off and be content. */
  readonly whenTooLong?: 'refuse' | 'cut';
  /** None are followed unless asked for. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body was longer than it was read. */
  readonly cut: boolean;
  /** Where it came from, after redirects. */
  readonly url: string;
}

export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Exchange = Required<Omit<OutboundRequest, 'body' | 'signal'>> & Pick<OutboundRequest, 'body'>;

const DEFAULTS = {
  method: 'GET',
  headers: {},
  timeoutMs: 10_000,
  maxAnswerBytes: 1_048_576,
  whenTooLong: 'refuse',
  maxRedirects: 0,
} as const satisfies Partial<OutboundRequest>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** For the first address only: a redirect leads elsewhere, and secrets do not go along. */
const PERSONAL = /^(authorization|cookie|proxy-authorization|x-api-key)$/i;

export class OutboundHttp {
  private readonly guard: AddressGuard;

  constructor(
    allowed: readonly AllowedDestination[] = [],
    private readonly resolve: Resolve = systemLookup,
  ) {
    this.guard = new AddressGuard(allowed);
  }

  /**
   * Any status is an answer.
   * @throws DestinationRefusedError, NoAnswerError
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const { signal, ...rest } = request;
    const abort = new AbortController();
    const timeoutMs = request.timeoutMs ?? DEFAULTS.timeoutMs;
    const progress = { sent: false };
    const give = (message: string, reason: 'timeout' | 'aborted') => (): void =>
      abort.abort(new NoAnswerError(message, reason, progress.sent));
    const timer = setTimeout(give(`No answer within ${timeoutMs / 1_000} s.`, 'timeout'), timeoutMs);
    const onAbort = give('The call was broken off.', 'aborted');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      return await this.follow({ ...DEFAULTS, ...rest }, abort.signal, progress);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** What can be said of an address before anybody calls it: undefined when nothing speaks against it. */
  refusal(url: string): string | undefined {
    try {
      this.destination(url);
      return undefined;
    } catch (error) {
      if (error instanceof DestinationRefusedError) return error.message;
      throw error;
    }
  }

  private async follow(first: Exchange, abort: AbortSignal, progress: { sent: boolean }): Promise<OutboundAnswer> {
    let exchange = first;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.exchange(exchange, abort, progress);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || typeof location !== 'string' || first.maxRedirects === 0) return answer;
      if (redirects === first.maxRedirects) {
        throw new NoAnswerError(`More than ${first.maxRedirects} redirects.`, 'redirects', true);
      }
      exchange = redirected(exchange, answer.status, location);
    }
  }

  private destination(text: string): URL {
    if (!URL.canParse(text)) throw new DestinationRefusedError('The address is no URL.');
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new DestinationRefusedError('The address must begin with https:// or http://.');
    }
    if (url.username !== '' || url.password !== '') {
      throw new DestinationRefusedError('The address must not carry a user name or password.');
    }
    const host = hostOf(url);
    // Addresses are never looked up, so the guard at the look-up would not see them.
    if (isIP(host) !== 0 && !this.guard.permits(host, { host, port: portOf(url) })) throw notPublic(host);
    return url;
  }

  private exchange(exchange: Exchange, abort: AbortSignal, progress: { sent: boolean }): Promise<OutboundAnswer> {
    return new Promise((resolve, reject) => {
      const url = this.destination(exchange.url);
      abort.throwIfAborted();
      const { method, headers, body } = exchange;
      const options: RequestOptions = {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
        // A connection of its own: one that was kept may be closed by the other side at the moment it is used again,
        // and then nobody can tell whether the request arrived.
        agent: false,
        lookup: this.guardedLookup({ host: hostOf(url), port: portOf(url) }),
      };
      const secure = url.protocol === 'https:';
      const request = (secure ? requestHttps : requestHttp)(url, options);
      const fail = (error: unknown): void => {
        abort.removeEventListener('abort', onAbort);
        request.destroy();
        reject(failure(error, progress.sent));
      };
      const onAbort = (): void => fail(abort.reason);
      abort.addEventListener('abort', onAbort, { once: true });
      request.on('error', fail);
      request.on('socket', (socket) =>
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          progress.sent = true;
        }),
      );
      request.on('response', (message) => {
        read(message, exchange).then((answer) => {
          abort.removeEventListener('abort', onAbort);
          request.destroy();
          resolve({ ...answer, url: url.href });
        }, fail);
      });
      request.end(body);
    });
  }

  /** Hands on only those addresses that may be called; none at all is a refusal. */
  private guardedLookup(destination: { host: string; port: number }): RequestOptions['lookup'] {
    return (host, options: LookupOptions, done) => {
      this.resolve(host, { all: true }, (error, found) => {
        if (error !== null) return done(error, '', 0);
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
        const permitted = found.filter(
          (entry) => (family === 0 || entry.family === family) && this.guard.permits(entry.address, destination),
        );
        const [first] = permitted;
        if (first === undefined) return done(notPublic(host), '', 0);
        return options.all === true ? done(null, permitted) : done(null, first.address, first.family);
      });
    };
  }
}

async function read(
  message: IncomingMessage,
  { maxAnswerBytes, whenTooLong }: Exchange,
): Promise<Omit<OutboundAnswer, 'url'>> {
  const parts: Buffer[] = [];
  let length = 0;
  let cut = false;
  for await (const part of message as AsyncIterable<Buffer>) {
    length += part.length;
    parts.push(length > maxAnswerBytes ? part.subarray(0, part.length - (length - maxAnswerBytes)) : part);
    if (length <= maxAnswerBytes) continue;
    if (whenTooLong === 'refuse') {
      throw new NoAnswerError(`The answer is longer than ${maxAnswerBytes} bytes.`, 'answered-too-much', true);
    }
    cut = true;
    break;
  }
  return { status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(parts), cut };
}

function redirected(exchange: Exchange, status: number, location: string): Exchange {
  const from = new URL(exchange.url);
  if (!URL.canParse(location, from.href))
    throw new DestinationRefusedError('It redirects to something that is no URL.');
  const to = new URL(location, from.href);
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new DestinationRefusedError('It redirects from https:// to http://.');
  }
  const { method, headers, body, ...rest } = exchange;
  const keeps = status === 307 || status === 308 || method === 'GET' || method === 'HEAD';
  const carried = Object.entries(headers).filter(
    ([name]) =>
      (from.origin === to.origin || !PERSONAL.test(name)) && (keeps || !/^content-(type|length|encoding)$/i.test(name)),
  );
  return {
    ...rest,
    url: to.href,
    method: keeps ? method : 'GET',
    headers: Object.fromEntries(carried),
    ...(keeps && body !== undefined ? { body } : {}),
  };
}

function failure(error: unknown, sent: boolean): Error {
  if (error instanceof DestinationRefusedError || error instanceof NoAnswerError) return error;
  return new NoAnswerError(inWords(error), 'network', sent, error);
}

/** The address it resolves to is not told: it would be a map of the network behind this server. */
function notPublic(host: string): DestinationRefusedError {
  return new DestinationRefusedError(
    `${host} is not a public address; the operator may allow it with HORARIUM_OUTBOUND_ALLOW.`,
  );
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
