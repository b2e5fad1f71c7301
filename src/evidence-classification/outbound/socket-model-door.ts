// Outbound adapter. A door is a socket in the run's folder, answered by us: we ask the model, with our key. Nothing but the
// words of a question goes through it, and only to the one address that the operator named.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { chmod, open, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ModelDoor, OpenDoor } from '../ports/model-door';

export interface ModelEndpoint {
  /** Of an OpenAI-compatible API: what `/chat/completions` is appended to. */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
}

const SOCKET = 'model.sock';
const LONGEST_QUESTION = 256 * 1_024;
const LONGEST_ANSWER = 1_048_576;
const PATIENCE_MS = 60_000;

export class SocketModelDoor implements ModelDoor {
  constructor(private readonly endpoint: ModelEndpoint | undefined) {}

  async open(folder: string, mostQuestions: number): Promise<OpenDoor> {
    const { endpoint } = this;
    if (endpoint === undefined) return { close: () => Promise.resolve() };
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      const refused = asked > mostQuestions ? 429 : undefined;
      void answer(request, response, endpoint, refused);
    });
    await listenIn(folder, server);
    await writeFile(join(folder, 'model.json'), JSON.stringify({ socket: SOCKET }), { mode: 0o644 });
    return {
      close: async () => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      },
    };
  }
}

/**
 * The name of a socket ends at about a hundred characters, which a data folder may have by itself: it is named from within.
 * Under its own name only when it answers, and so that the end of an earlier process's server does not remove it.
 */
async function listenIn(folder: string, server: Server): Promise<void> {
  const held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const near = `/proc/self/fd/${held.fd}`;
    const within = existsSync(near) ? near : folder;
    const fresh = join(within, `.${randomUUID().slice(0, 8)}`);
    server.listen(fresh);
    await once(server, 'listening');
    // The folder above is closed to all but us; the classifier's own user asks through this.
    await chmod(fresh, 0o666);
    await rename(fresh, join(within, SOCKET));
  } catch (error) {
    server.close();
    await rm(join(folder, SOCKET), { force: true });
    throw error;
  } finally {
    await held.close();
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: ModelEndpoint,
  refused: number | undefined,
): Promise<void> {
  const end = (status: number, text = ''): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(text);
  };
  try {
    if (refused !== undefined) return end(refused);
    if (request.method !== 'POST' || request.url !== '/chat/completions') return end(404);
    const { messages } = JSON.parse(await whole(request, LONGEST_QUESTION)) as { messages?: unknown };
    if (!Array.isArray(messages)) return end(400);
    const said = await ask(endpoint, messages);
    end(said.status, said.text);
  } catch {
    // The key must not be in any words that the classifier hears.
    if (!response.headersSent) end(502);
  }
}

async function ask({ url, model, key }: ModelEndpoint, messages: unknown[]): Promise<{ status: number; text: string }> {
  const answered = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = answered.body === null ? '' : await whole(answered.body, LONGEST_ANSWER);
  return answered.ok ? { status: 200, text } : { status: answered.status, text: '' };
}

async function whole(pieces: AsyncIterable<Uint8Array>, longest: number): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > longest) throw new Error('too long');
    kept.push(piece);
  }
  return Buffer.concat(kept).toString('utf8');
}
