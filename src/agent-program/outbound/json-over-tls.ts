// Outbound. One JSON request of an agent, and its answer.
import { request as requestHttp, type Agent } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServerAwayError, ServerRefusesError } from '../domain/errors';

export interface JsonRequest {
  readonly method?: string;
  readonly body?: object;
  /** Sent as it comes, in place of a JSON body. */
  readonly stream?: { readonly from: Readable; readonly headers: Readonly<Record<string, string | number>> };
  readonly agent?: Agent;
  readonly ca?: string;
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

/** Longer than the longest queue of handshakes that a server may have. */
const WITHIN_MS = 60_000;
const LONGEST_ANSWER = 4 * 1024 * 1024;

/** Undefined: 204. @throws ServerAwayError, ServerRefusesError */
export async function askJson<T>(address: string, asked: JsonRequest = {}): Promise<T | undefined> {
  const { status, text } = await exchange(new URL(address), asked).catch((error: unknown): never => {
    throw new ServerAwayError(new URL(address).origin, error as NodeJS.ErrnoException);
  });
  if (status === 204) return undefined;
  const body = parsed(text);
  if (status >= 200 && status < 300 && body !== undefined) return body as T;
  const { code = `http.${status}`, detail = `the server answers ${status}` } = (body ?? {}) as Record<string, string>;
  throw new ServerRefusesError(status, code, detail);
}

function exchange(url: URL, asked: JsonRequest): Promise<{ status: number; text: string }> {
  const { method = 'POST', body = {}, stream, agent, ca, withinMs = WITHIN_MS, signal } = asked;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const text = JSON.stringify(body);
  const headers = stream?.headers ?? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const late = AbortSignal.timeout(withinMs);
  const signals = signal === undefined ? late : AbortSignal.any([late, signal]);
  return new Promise((resolve, reject) => {
    const sent = send(
      url,
      { method, headers, signal: signals, ...(agent && { agent }), ...(ca !== undefined && { ca }) },
      (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on('data', (part: Buffer) => {
          length += part.length;
          if (length > LONGEST_ANSWER) response.destroy(new Error('the answer is too long'));
          else parts.push(part);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    // What the server refuses before it has read everything is answered all the same.
    if (stream === undefined) sent.end(text);
    else pipeline(stream.from, sent).catch(reject);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
