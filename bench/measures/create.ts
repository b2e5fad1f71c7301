// Benchmark. Tasks registered over HTTP.
import type { Benchmark } from '../bench';
import { spread } from '../figures';
import { load, type Ask, type LoadResult } from '../load';
import { cpuMs, serverCpuMs } from '../processes';
import { scratchServer } from '../scratch-server';
import { startServer, tokenFor } from '../server-process';

const SECONDS = 6;

export const create: Benchmark = {
  name: 'create',
  about: 'POST /api/scheduled-tasks from 8 clients, and from one (target: at least 300 tasks/s from 8)',
  minutes: 15,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const database = await server.database();
    const { url, pid } = await startServer(bench, { dataDir: bench.folder(), database });
    const token = await tokenFor('alice');
    const results: Record<'eight' | 'one', LoadResult[]> = { eight: [], one: [] };
    const nodeCpu: number[] = [];
    const serverCpu: number[] = [];
    await load(url, token, newTask, { clients: 8, seconds: 3 });
    for (let round = 0; round < bench.options.rounds; round++) {
      const before = [cpuMs(pid), server.pid === undefined ? NaN : serverCpuMs(server.pid)] as const;
      const eight = await load(url, token, newTask, { clients: 8, seconds: SECONDS });
      nodeCpu.push((cpuMs(pid) - before[0]) / eight.samples);
      serverCpu.push((server.pid === undefined ? NaN : serverCpuMs(server.pid) - before[1]) / eight.samples);
      results.eight.push(eight);
      results.one.push(await load(url, token, newTask, { clients: 1, seconds: 2 }));
      bench.say(`round ${round + 1}: ${eight.perSecond}/s, p99 ${eight.p99} ms`);
    }
    const figures = (rounds: readonly LoadResult[]): object => ({
      tasksPerSecond: spread(rounds.map(({ perSecond }) => perSecond)),
      p50Ms: spread(rounds.map(({ p50 }) => p50)),
      p99Ms: spread(rounds.map(({ p99 }) => p99)),
    });
    return {
      clients8: { ...figures(results.eight), nodeCpuMsEach: spread(nodeCpu), serverCpuMsEach: spread(serverCpu) },
      client1: figures(results.one),
    };
  },
};

function newTask(n: number): Ask {
  const body = JSON.stringify({
    title: `Report ${n}`,
    prompt: 'Summarise the news of the last 24 hours in five lines.',
    schedule_type: 'cron',
    schedule_spec: { cron: `${n % 60} ${n % 24} * * 1-5` },
    timezone: 'Europe/Berlin',
  });
  return { method: 'POST', path: '/api/scheduled-tasks', body };
}
