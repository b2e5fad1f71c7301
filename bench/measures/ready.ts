// Benchmark. From the start of the process to the line that says it is ready, as a user of `npm start` waits for it.
import type { Bench, Benchmark } from '../bench';
import { rounded, spread } from '../figures';
import { cpuMs } from '../processes';
import { startServer } from '../server-process';

export const ready: Benchmark = {
  name: 'ready',
  about: 'time from `node dist/main.js` to the ready line: first start (empty data folder) and later ones',
  minutes: 15,
  run: async (bench) => {
    const first: number[] = [];
    const later: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < bench.options.rounds; round++) {
      const dataDir = bench.folder();
      first.push((await oneStart(bench, dataDir)).ms);
      const again = await oneStart(bench, dataDir);
      later.push(again.ms);
      cpu.push(again.cpu);
      bench.say(`round ${round + 1}: first ${rounded(first.at(-1)!)} ms, later ${rounded(again.ms)} ms`);
    }
    return { firstStartMs: spread(first), laterStartMs: spread(later), laterStartNodeCpuMs: spread(cpu) };
  },
};

async function oneStart(bench: Bench, dataDir: string): Promise<{ ms: number; cpu: number }> {
  const server = await startServer(bench, { dataDir });
  const cpu = cpuMs(server.pid);
  await server.stop();
  return { ms: server.readyAfterMs, cpu };
}
