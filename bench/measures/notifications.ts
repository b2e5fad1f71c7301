// Benchmark. A thousand connections in one room, ten notifications a second for half a minute: from the fact in the outbox
// to each page.
import { io, type Socket } from 'socket.io-client';
import type { Benchmark } from '../bench';
import { latency, rounded } from '../figures';
import { cpuMs, residentMb } from '../processes';
import { scratchServer } from '../scratch-server';
import { startServer, tokenFor } from '../server-process';

const CONNECTIONS = 1_000;
const A_SECOND = 10;
const SECONDS = 30;
const AT_ONCE = 20;
const FACT = `
  with fact as (
    insert into outbox_events (tenant_id, type, payload, occurred_at)
    select 1, 'run.failed', $1::jsonb, now() returning 1
  )
  select pg_notify('horarium_wake', 'outbox-relay') from fact`;

export const notifications: Benchmark = {
  name: 'notifications',
  about: '1,000 connections, 10 notifications a second for 30 s: from the fact to every page',
  minutes: 10,
  run: async (bench) => {
    const database = await (await scratchServer(bench)).database();
    const server = await startServer(bench, { dataDir: bench.folder(), database });
    const token = await tokenFor('crowd');
    await fetch(`${server.url}/api/1.0/notifications/preferences`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ digest_seconds: 0 }),
    });
    const memoryBefore = residentMb(server.pid);
    const sentAt = new Map<string, number>();
    const delays: number[] = [];
    const connecting = performance.now();
    const sockets: Socket[] = [];
    bench.later(() => sockets.forEach((socket) => void socket.disconnect()));
    const hear = ({ data }: { data: { task_id: string } }): void => {
      delays.push(performance.now() - (sentAt.get(data.task_id) ?? NaN));
    };
    const connectSome = async (): Promise<void> => {
      while (sockets.length < CONNECTIONS) {
        const socket = io(`${server.url}/socket/notification`, {
          auth: { token },
          transports: ['websocket'],
          forceNew: true,
        });
        sockets.push(socket);
        socket.on('notification', hear);
        await new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve);
          socket.once('connect_error', reject);
        });
        const answer = (await socket.emitWithAck('join', { room: { type: 'user', id: 'crowd' } })) as { ok: boolean };
        if (!answer.ok) throw new Error(JSON.stringify(answer));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, connectSome));
    const joinedAfterSeconds = (performance.now() - connecting) / 1_000;
    bench.say(`${sockets.length} connections after ${rounded(joinedAfterSeconds)} s`);
    const memory = residentMb(server.pid) - memoryBefore;

    const cpuBefore = cpuMs(server.pid);
    const begun = performance.now();
    for (let count = 0; count < A_SECOND * SECONDS; count++) {
      const wait = begun + (count * 1_000) / A_SECOND - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const id = `task-${count}`;
      sentAt.set(id, performance.now());
      await database.admin.query(FACT, [
        JSON.stringify({ user_id: 'crowd', task_id: id, task_title: 'Morning news', error: 'exit code 1' }),
      ]);
    }
    const sentWithinSeconds = (performance.now() - begun) / 1_000;
    const wanted = A_SECOND * SECONDS * CONNECTIONS;
    const patience = performance.now() + 20_000;
    while (delays.length < wanted && performance.now() < patience) await new Promise((r) => setTimeout(r, 20));
    return {
      connections: CONNECTIONS,
      connectionsASecond: rounded(CONNECTIONS / joinedAfterSeconds),
      kilobytesAConnection: rounded((memory * 1_000) / CONNECTIONS),
      notifications: A_SECOND * SECONDS,
      sentWithinSeconds: rounded(sentWithinSeconds),
      notDelivered: wanted - delays.length,
      delayMs: latency(delays),
      serverCpuMicrosecondsADelivery: rounded(((cpuMs(server.pid) - cpuBefore) * 1_000) / Math.max(1, delays.length)),
    };
  },
};
