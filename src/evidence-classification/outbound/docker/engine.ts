// Outbound. The few calls of the Docker Engine API that a run needs, over node:http. Why no client library:
// docs/adr (a thin client for the container engine).
import { type IncomingMessage, request, type RequestOptions } from 'node:http';

/** The version that Docker 20.10 and Podman 4 answer alike. */
const API = '/v1.40';
const LONGEST_ANSWER = 8 * 1_048_576;

export interface EngineAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** `timeoutMs: 0` waits for as long as it takes. */
export interface EngineCall {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export class Engine {
  private readonly target: RequestOptions;

  /** unix:///var/run/docker.sock, or tcp://host:port */
  constructor(address: string) {
    const url = new URL(address);
    this.target =
      url.protocol === 'unix:' ? { socketPath: url.pathname } : { host: url.hostname, port: url.port || '2375' };
  }

  call(method: string, path: string, { body, timeoutMs = 30_000, signal }: EngineCall = {}): Promise<EngineAnswer> {
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers =
      content === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': content.byteLength };
    return new Promise((resolve, reject) => {
      const asked = request({ ...this.target, method, path: API + path, headers, signal, agent: false }, (answer) => {
        whole(answer).then((text) => resolve({ status: answer.statusCode ?? 0, body: text }), reject);
      });
      if (timeoutMs > 0)
        asked.setTimeout(timeoutMs, () => asked.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      asked.on('error', reject);
      asked.end(content);
    });
  }
}

function whole(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    answer.on('data', (piece: Buffer) => {
      size += piece.byteLength;
      if (size > LONGEST_ANSWER) answer.destroy(new Error('the answer is too long'));
      else pieces.push(piece);
    });
    answer.on('end', () => resolve(Buffer.concat(pieces)));
    answer.on('error', reject);
    answer.on('aborted', () => reject(new Error('the answer was broken off')));
  });
}

/** Standard output and standard error as the engine interleaves them: frames with a header of eight bytes. */
export function unframed(body: Buffer): string {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= body.byteLength;) {
    const length = body.readUInt32BE(at + 4);
    pieces.push(body.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(pieces).toString('utf8');
}
