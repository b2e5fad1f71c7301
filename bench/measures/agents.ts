// Benchmark. Remote agents over mutual TLS: connections made anew, kept, and heartbeats on kept ones; and the batch that
// writes what each second of 100,000 agents leaves.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { P256Keys } from '../../src/agent-program/outbound/p256-keys';
import { openDataSource } from '../../src/platform/persistence/open-data-source';
import { Sessions } from '../../src/platform/persistence/sessions';
import { SqlLastSeen } from '../../src/remote-agent/outbound/sql-last-seen';
import type { Bench, Benchmark } from '../bench';
import { latency, rounded } from '../figures';
import { cpuMs, residentMb } from '../processes';
import { type ScratchDatabase, scratchServer } from '../scratch-server';
import { startServer, tokenFor } from '../server-process';

const MACHINES = 100;
const CONNECTIONS = 2_000;
const AT_ONCE = 20;
const BUSY = 100;
const SECONDS = 10;
const BATCH = 3_334;
const AGENTS = 100_000;

interface Machine {
  readonly key: string;
  readonly certificate: string;
  readonly server_ca_bundle: string;
  readonly agent_url: string;
}

export const agents: Benchmark = {
  name: 'agents',
  about: '2,000 kept connections of remote agents: handshakes, memory, heartbeats; a flush of 3,334 rows among 100,000',
  minutes: 10,
  run: async (bench) => {
    const database = await (await scratchServer(bench)).database();
    const env = { HORARIUM_AGENT_PORT: '0' };
    const server = await startServer(bench, { dataDir: bench.folder(), database, env });
    const machines = await enrol(server.url);
    bench.say(`${machines.length} machines are enrolled`);

    const lines: Line[] = [];
    bench.later(() => lines.forEach((line) => line.close()));
    const memoryBefore = residentMb(server.pid);
    const connecting = await costs(server.pid, async () => {
      await inTurns(CONNECTIONS, AT_ONCE, async (index) => {
        const line = await Line.open(machines[index % machines.length]!);
        lines.push(line);
        await line.beat();
      });
      return CONNECTIONS;
    });
    const kilobytes = ((residentMb(server.pid) - memoryBefore) * 1_000) / CONNECTIONS;
    bench.say(`${lines.length} connections: ${JSON.stringify(connecting)}`);

    const delays: number[] = [];
    const beats = await costs(server.pid, async () => {
      const until = performance.now() + SECONDS * 1_000;
      await Promise.all(
        lines.slice(0, BUSY).map(async (line) => {
          while (performance.now() < until) {
            const at = performance.now();
            await line.beat();
            delays.push(performance.now() - at);
          }
        }),
      );
      return delays.length;
    });
    const open = lines.filter((line) => line.isOpen).length;
    for (const line of lines) line.close();
    await server.stop();
    return {
      connections: CONNECTIONS,
      stillOpen: open,
      connect: connecting,
      kilobytesAConnection: rounded(kilobytes),
      heartbeats: beats,
      heartbeatMs: latency(delays),
      flushMs: await flushes(bench, database),
    };
  },
};

interface Costs {
  readonly aSecond: number;
  readonly serverCpuMs: number;
  /** What one core could do, by the processor time of the server. */
  readonly aSecondOfCpu: number;
}

async function costs(pid: number, work: () => Promise<number>): Promise<Costs> {
  const cpu = cpuMs(pid);
  const at = performance.now();
  const done = await work();
  const [wallMs, spentMs] = [performance.now() - at, cpuMs(pid) - cpu];
  return {
    aSecond: rounded((done * 1_000) / wallMs),
    serverCpuMs: rounded(spentMs / done),
    aSecondOfCpu: rounded((done * 1_000) / spentMs),
  };
}

async function inTurns(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function enrol(url: string): Promise<Machine[]> {
  const post = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, string>;
  };
  const keys = new P256Keys();
  const operator = await tokenFor('olga', 'operator');
  const { token } = await post('/api/1.0/remote-agents/enrollment-tokens', { max_uses: MACHINES }, operator);
  const machines: Machine[] = [];
  await inTurns(MACHINES, 4, async (index) => {
    const key = await keys.make();
    const body = { token, csr: await keys.request(key), name: `machine-${index}` };
    const answer = await post('/api/1.0/remote-agents/enroll', body);
    machines.push({ ...(answer as unknown as Machine), key });
  });
  return machines;
}

const REQUEST =
  'POST /agent/v1/heartbeat HTTP/1.1\r\nHost: agents\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** One connection, written by hand: the load must not cost more than what it measures. */
class Line {
  private heard = '';
  private waiting: { resolve: () => void; reject: (error: Error) => void } | undefined;

  private constructor(private readonly socket: TLSSocket) {
    socket.setEncoding('latin1').on('data', (text: string) => this.hear(text));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('closed')));
  }

  static async open({ agent_url: url, server_ca_bundle: ca, certificate: cert, key }: Machine): Promise<Line> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port), ca, cert, key });
    await once(socket, 'secureConnect');
    return new Line(socket);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  beat(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(REQUEST);
    });
  }

  close(): void {
    this.socket.removeAllListeners('close').destroy();
  }

  private hear(text: string): void {
    this.heard += text;
    const head = this.heard.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)/i.exec(this.heard)?.[1];
    if (head < 0 || length === undefined || this.heard.length < head + 4 + Number(length)) return;
    const answer = this.heard;
    this.heard = '';
    if (answer.startsWith('HTTP/1.1 200')) this.waiting?.resolve();
    else this.waiting?.reject(new Error(answer));
  }
}

/** What a heartbeat interval of 30 s leaves of 100,000 agents in each second. */
async function flushes(bench: Bench, { url, admin }: ScratchDatabase): Promise<ReturnType<typeof latency>> {
  const ids = Array.from({ length: AGENTS }, () => randomUUID());
  await admin.query(
    `insert into compliance.agents (id, tenant_id, name, version, labels, created_at)
     select id, 1, 'a', '', '{}', now() from unnest($1::uuid[]) as id`,
    [ids],
  );
  await admin.query(
    `insert into compliance.agent_last_seen (agent_id, tenant_id) select id, 1 from unnest($1::uuid[]) as id`,
    [ids],
  );
  await admin.query('vacuum analyze compliance.agent_last_seen');
  const source = await openDataSource({ url, poolSize: 2 });
  bench.later(() => source.destroy());
  const lastSeen = new SqlLastSeen(new Sessions(source, { notify: () => Promise.resolve() }));
  const took: number[] = [];
  for (let start = 0; start + BATCH <= AGENTS; start += BATCH) {
    const beats = ids
      .slice(start, start + BATCH)
      .map((agentId) => ({ agentId, at: new Date(performance.timeOrigin + performance.now()), clockSkewMs: null }));
    const at = performance.now();
    await lastSeen.write(beats);
    took.push(performance.now() - at);
  }
  return latency(took);
}
