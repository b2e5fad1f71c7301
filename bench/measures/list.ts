// Benchmark. Lists over HTTP: one person's 10,000 tasks, alone in the database and among a million; one task's history.
import type { Bench, Benchmark } from '../bench';
import { spread, type Spread } from '../figures';
import { load, type LoadResult } from '../load';
import { fillRuns, fillTasks, settle } from '../rows';
import { scratchServer, type ScratchServer } from '../scratch-server';
import { startServer, tokenFor } from '../server-process';

const OWN = 10_000;
const PATHS: Readonly<Record<string, string>> = {
  'first page': '/api/scheduled-tasks',
  'page of 200': '/api/scheduled-tasks?limit=200',
  'offset 9000': '/api/scheduled-tasks?offset=9000',
  'status paused': '/api/scheduled-tasks?status=paused',
  'type once': '/api/scheduled-tasks?schedule_type=once',
  'text, common': '/api/scheduled-tasks?q=number%2077',
  'text, nowhere': '/api/scheduled-tasks?q=xylophone',
};
const TASK = `task-0001${'1'.padStart(28, '0')}`;
const HISTORY: Readonly<Record<string, string>> = {
  'history of one task': `/api/scheduled-tasks/${TASK}/runs`,
  'its failed runs': `/api/scheduled-tasks/${TASK}/runs?status=failed`,
  'all my runs': '/api/scheduled-task-runs',
  'all my failed runs': '/api/scheduled-task-runs?status=failed',
  'all my interrupted runs (none)': '/api/scheduled-task-runs?status=interrupted',
};

interface Place {
  readonly url: string;
  readonly paths: Readonly<Record<string, string>>;
  readonly results: Record<string, LoadResult[]>;
  readonly throughput: LoadResult[];
}

export const list: Benchmark = {
  name: 'list',
  about:
    'GET /api/scheduled-tasks of a user with 10,000 tasks, alone and among 1,000,000; history among 1,000,000 runs',
  minutes: 30,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const alone = await place(bench, server, 0);
    const among = await place(bench, server, bench.options.rows);
    const token = await tokenFor('alice');
    for (let round = 0; round < bench.options.rounds; round++) {
      for (const { url, paths, results, throughput } of [alone, among]) {
        await load(url, token, () => ({ path: '/api/scheduled-tasks' }), { clients: 8, seconds: 1 });
        throughput.push(await load(url, token, () => ({ path: '/api/scheduled-tasks' }), { clients: 8, seconds: 4 }));
        for (const [name, path] of Object.entries(paths)) {
          (results[name] ??= []).push(await load(url, token, () => ({ path }), { clients: 2, seconds: 5, most: 200 }));
        }
      }
      bench.say(`round ${round + 1} of ${bench.options.rounds}`);
    }
    return { ownTasks: OWN, alone: figuresOf(alone), amongMany: figuresOf(among) };
  },
};

async function place(bench: Bench, server: ScratchServer, others: number): Promise<Place> {
  const database = await server.database();
  const nextRunAt = "now() + interval '1 day' + n * interval '1 second'";
  await fillTasks(database.admin, { count: OWN, set: 1, users: 'alice', nextRunAt });
  if (others > 0) {
    bench.say(`filling in ${others} tasks and runs`);
    await fillTasks(database.admin, { count: others - OWN, set: 2, users: 1_000, nextRunAt });
    const each = 100;
    await fillRuns(database.admin, 1, 1, OWN, "'alice'");
    await fillRuns(database.admin, 2, Math.floor((others - OWN) / each), each, `'user-' || n % 1000`);
  }
  await settle(database.admin);
  const { url } = await startServer(bench, { dataDir: bench.folder(), database });
  return { url, paths: others > 0 ? { ...PATHS, ...HISTORY } : PATHS, results: {}, throughput: [] };
}

function figuresOf({ results, throughput }: Place): object {
  return {
    firstPageOf8Clients: {
      perSecond: spread(throughput.map(({ perSecond }) => perSecond)),
      p99Ms: spread(throughput.map(({ p99 }) => p99)),
    },
    of2Clients: Object.fromEntries(
      Object.entries(results).map(([name, rounds]): [string, { p50Ms: Spread; p99Ms: Spread }] => [
        name,
        { p50Ms: spread(rounds.map(({ p50 }) => p50)), p99Ms: spread(rounds.map(({ p99 }) => p99)) },
      ]),
    ),
  };
}
