// Benchmarks. HTTP clients that ask as fast as they are answered, on connections that stay open.
import { Agent, request } from 'node:http';
import { latency, rounded, type Latency } from './figures';

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Load {
  readonly clients: number;
  readonly seconds: number;
  /** Asks beyond this number are left out. */
  readonly most?: number;
}

export interface LoadResult extends Latency {
  readonly perSecond: number;
}

export async function load(url: string, token: string, ask: (n: number) => Ask, options: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const samples: number[] = [];
  const began = performance.now();
  const until = began + options.seconds * 1_000;
  let asked = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until && asked < (options.most ?? Infinity)) {
      const since = performance.now();
      await answered(agent, url, token, ask(asked++));
      samples.push(performance.now() - since);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.clients }, client));
  } finally {
    agent.destroy();
  }
  return { perSecond: rounded((samples.length * 1_000) / (performance.now() - began)), ...latency(samples) };
}

/** The answer's body; anything but a success is an error. */
export function answered(
  agent: Agent,
  url: string,
  token: string,
  { method = 'GET', path, body }: Ask,
): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
