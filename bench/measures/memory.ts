// Benchmark. What the Node process holds while nothing happens.
import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark } from '../bench';
import { rounded, spread } from '../figures';
import { residentMb } from '../processes';
import { startServer } from '../server-process';

const AFTER_MS = 60_000;

export const memory: Benchmark = {
  name: 'memory',
  about: 'resident memory of the Node process when ready and 60 s later (target: under 150 MB)',
  minutes: 15,
  run: async (bench) => {
    const atFirst: number[] = [];
    const afterMinute: number[] = [];
    const dataDir = bench.folder();
    for (let round = 0; round < bench.options.rounds; round++) {
      const server = await startServer(bench, { dataDir });
      atFirst.push(residentMb(server.pid));
      await pause(AFTER_MS);
      afterMinute.push(residentMb(server.pid));
      await server.stop();
      bench.say(
        `round ${round + 1}: ${rounded(atFirst.at(-1)!)} MB, after a minute ${rounded(afterMinute.at(-1)!)} MB`,
      );
    }
    return { whenReadyMb: spread(atFirst), after60sMb: spread(afterMinute) };
  },
};
