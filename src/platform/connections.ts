// Platform. How long a client may take over each part of a conversation, and how it is told what it did wrong when it
// never came to a request. Nobody keeps a connection, its buffers and what it holds in the house by doing nothing.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_JSON, problem, type ProblemSource } from './protocol/problem';

/** Milliseconds. */
export interface Patience {
  readonly headers: number;
  /** A whole request with its body: the largest upload over a slow line. */
  readonly request: number;
  /** Between two requests: longer than reverse proxies keep theirs, else they send into a connection that closes. */
  readonly idle: number;
  /** Without taking a byte of what is being sent. */
  readonly reading: number;
  /** What a request in flight may still take when the server closes. */
  readonly closing: number;
}

const USUAL: Patience = { headers: 20_000, request: 300_000, idle: 75_000, reading: 60_000, closing: 2_000 };

export function limitConnections(server: Server, patience: Patience = USUAL): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request, response) => {
    answers.set(request.socket, response);
    response.once('close', () => answers.delete(request.socket));
  });
  server.headersTimeout = patience.headers;
  server.requestTimeout = patience.request;
  server.keepAliveTimeout = patience.idle;
  // Nothing came and nothing went for this long. An answer that is still being made is waited for (long polls, streams).
  server.setTimeout(patience.reading, (socket) => {
    if (socket.writableLength > 0 || !answers.has(socket)) socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = answers.get(socket)?.headersSent ?? false;
    if (begun || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(refusal(error.code), () => socket.destroy());
  });
  closeOnDawdlers(server, patience.closing);
}

const REFUSALS: Readonly<Record<string, ProblemSource>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'request.headers-too-large', detail: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'request.too-large', detail: 'A chunk says too much of itself.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request.timeout', detail: 'The request did not come whole in time.' },
};
const UNREADABLE = { status: 400, code: 'request.unreadable', detail: 'This is no HTTP request that can be read.' };

function refusal(code = ''): string {
  const said = problem(REFUSALS[code] ?? UNREADABLE);
  const body = JSON.stringify(said);
  const head = [
    `HTTP/1.1 ${said.status} ${said.title}`,
    `Content-Type: ${PROBLEM_JSON}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Closing waits for every connection on which a request has begun. Anybody who can connect could hold up a stop with half
 * a request, until the process is ended by force and leaves its database to the next start.
 */
function closeOnDawdlers(server: Server, closing: number): void {
  const close = server.close.bind(server);
  server.close = (done) => {
    setTimeout(() => server.closeAllConnections(), closing).unref();
    return close(done);
  };
}
