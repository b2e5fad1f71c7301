// Benchmark. 50 editors fill one survey, each a field of their own: every answer is persisted and broadcast to all 50.
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import type { Benchmark } from '../bench';
import { latency, rounded, spread } from '../figures';
import { scratchServer } from '../scratch-server';
import { type ServerProcess, startServer, tokenFor } from '../server-process';

const EDITORS = 50;
const SECONDS = 10;

export const surveys: Benchmark = {
  name: 'surveys',
  about: '50 editors of one survey: answers persisted and broadcast to all of them, a second',
  minutes: 15,
  run: async (bench) => {
    const database = await (await scratchServer(bench)).database();
    const server = await startServer(bench, { dataDir: bench.folder(), database });
    const rates: number[] = [];
    const acks: number[] = [];
    const sights: number[] = [];
    let lost = 0;
    for (let round = 0; round <= bench.options.rounds; round++) {
      const one = await oneRound(server);
      bench.say(`round ${round}: ${rounded(one.rate)} answers a second, ${one.lost} not delivered`);
      // The first compiles statements and code.
      if (round === 0) continue;
      rates.push(one.rate);
      acks.push(...one.acks);
      sights.push(...one.sights);
      lost += one.lost;
    }
    const stored = await database.admin.query('select count(*)::integer as versions from survey_answer_versions');
    const { versions } = stored.rows[0] as { versions: number };
    return {
      editors: EDITORS,
      seconds: SECONDS,
      answersPerSecond: spread(rates),
      ackMs: latency(acks),
      seenByAnotherMs: latency(sights),
      notDelivered: lost,
      stored: versions,
    };
  },
};

interface Round {
  readonly rate: number;
  readonly acks: number[];
  /** From sending to another editor's page. */
  readonly sights: number[];
  readonly lost: number;
}

async function oneRound(server: ServerProcess): Promise<Round> {
  const fields = Array.from({ length: EDITORS }, (_, n) => ({ key: `field_${n}`, label: `Field ${n}`, type: 'text' }));
  const answer = await fetch(`${server.url}/api/1.0/surveys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await tokenFor('owner')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Bench', audience: 'tenant', fields }),
  });
  const { id } = (await answer.json()) as { id: string };
  const sentAt = new Map<string, number>();
  const sights: number[] = [];
  let seen = 0;
  const sockets = await Promise.all(
    fields.map(async (_, index) => {
      const socket = await editor(server.url, `editor-${index}`, id);
      socket.on('updated', ({ value }: { value: string }) => {
        seen += 1;
        if (index === 0) sights.push(performance.now() - (sentAt.get(value) ?? NaN));
      });
      return socket;
    }),
  );
  const acks: number[] = [];
  const begun = performance.now();
  const until = begun + SECONDS * 1_000;
  await Promise.all(
    sockets.map(async (socket, index) => {
      const place = { survey_id: id, field_key: `field_${index}` };
      const { fence } = await ask(socket, 'editing', place);
      for (let version = 0; performance.now() < until; version++) {
        const value = `${index} ${version}`;
        const at = performance.now();
        sentAt.set(value, at);
        await ask(socket, 'update', { ...place, fence, base_version: version, value, op_id: value.replace(' ', '-') });
        acks.push(performance.now() - at);
        // Each connection may send twenty events a second.
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, 52 - (performance.now() - at))));
      }
    }),
  );
  const rate = acks.length / ((performance.now() - begun) / 1_000);
  const patience = performance.now() + 5_000;
  while (seen < acks.length * EDITORS && performance.now() < patience) await new Promise((r) => setTimeout(r, 20));
  for (const socket of sockets) socket.disconnect();
  return { rate, acks, sights, lost: acks.length * EDITORS - seen };
}

async function editor(url: string, user: string, surveyId: string): Promise<Socket> {
  const auth = { token: await tokenFor(user), session: randomUUID() };
  const socket = io(`${url}/socket/fill-survey`, { auth, transports: ['websocket'], forceNew: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  await ask(socket, 'join', { survey_id: surveyId });
  return socket;
}

async function ask(socket: Socket, event: string, payload: object): Promise<Record<string, unknown>> {
  const answer = (await socket.emitWithAck(event, payload)) as Record<string, unknown>;
  if (answer['ok'] !== true) throw new Error(`${event}: ${JSON.stringify(answer)}`);
  return answer;
}
