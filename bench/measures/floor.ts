// Benchmark. The minimal scheduler alone: what this machine allows. `lateness` and `burst` give it beside ours.
import type { Benchmark } from '../bench';
import { floorBurst } from '../bursting';
import { spread } from '../figures';
import { MinimalScheduler } from '../minimal-scheduler';
import { scratchServer } from '../scratch-server';

const TASKS = 10_000;

export const floor: Benchmark = {
  name: 'floor',
  about: 'the minimal scheduler in SQL alone: 10,000 due at the same second',
  minutes: 10,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const scheduler = await MinimalScheduler.open(bench, await server.database());
    const rounds = [];
    await floorBurst(scheduler, TASKS);
    for (let round = 0; round < bench.options.rounds; round++) rounds.push(await floorBurst(scheduler, TASKS));
    return {
      tasks: TASKS,
      p50StartMs: spread(rounds.map(({ startMs }) => startMs.p50)),
      lastStartMs: spread(rounds.map(({ startMs }) => startMs.max)),
      allRecordedMs: spread(rounds.map(({ allRecordedMs }) => allRecordedMs)),
    };
  },
};
