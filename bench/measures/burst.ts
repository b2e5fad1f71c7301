// Benchmark. 10,000 cron tasks due at the same second: the hot path under load, checked row by row, beside the floor.
import type { Benchmark } from '../bench';
import { type BurstRound, floorBurst, houseBurst, type Faults } from '../bursting';
import { ratios, spread } from '../figures';
import { benchHouse } from '../house';
import { MinimalScheduler } from '../minimal-scheduler';
import { cpuMs, serverCpuMs } from '../processes';
import { fillTasks, settle } from '../rows';
import { scratchServer } from '../scratch-server';
import { since, statementCounts } from '../statements';

const TASKS = 10_000;

// A single moment would be over after the first round, a paused task is never due, and none may come due by itself.
const EVERY_DAY_BUT_NOT_NOW = `
  with active as (update scheduled_task_states set status = 'enabled')
  update scheduled_tasks
     set schedule_type = 'cron', timezone = (array['UTC', 'Europe/London', 'Europe/Berlin'])[1 + length(title) % 3],
         schedule_spec = jsonb_build_object('cron', (hashtext(id) & 1023) % 60 || ' ' ||
           (extract(hour from now() at time zone 'UTC')::integer + 4 + (hashtext(id) >> 8 & 1023) % 18) % 24 || ' * * *')`;

export const burst: Benchmark = {
  name: 'burst',
  about: '10,000 cron tasks due at the same second: last start, all recorded, every one exactly once; and the floor',
  minutes: 15,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const database = await server.database();
    await fillTasks(database.admin, { count: TASKS, set: 1, users: 100, nextRunAt: "now() + interval '1 hour'" });
    await database.admin.query(EVERY_DAY_BUT_NOT_NOW);
    await settle(database.admin);
    const floor = await MinimalScheduler.open(bench, database);
    const house = await benchHouse(bench, database, { SCHEDULE_MAX_CONCURRENT_RUNS: String(TASKS) });
    const ours: BurstRound[] = [];
    const least: BurstRound[] = [];
    const cpu: { node: number; server: number }[] = [];
    const faults: Faults[] = [];
    let costliest: object[] = [];
    // One round more: the first compiles the statements and the code.
    for (let round = 0; round <= bench.options.rounds; round++) {
      const counted = await statementCounts(server, database);
      const before = [cpuMs(process.pid), server.pid === undefined ? NaN : serverCpuMs(server.pid)] as const;
      const { faults: found, ...house_ } = await houseBurst(house, database, TASKS);
      const after = [cpuMs(process.pid), server.pid === undefined ? NaN : serverCpuMs(server.pid)] as const;
      costliest = since(counted, await statementCounts(server, database)).slice(0, 20);
      const floor_ = await floorBurst(floor, TASKS);
      faults.push(found);
      bench.say(
        `round ${round}: last start ${house_.startMs.max} ms (floor ${floor_.startMs.max}), ` +
          `recorded ${Math.round(house_.allRecordedMs)} ms (floor ${Math.round(floor_.allRecordedMs)})`,
      );
      if (round === 0) continue;
      ours.push(house_);
      least.push(floor_);
      cpu.push({ node: (after[0] - before[0]) / TASKS, server: (after[1] - before[1]) / TASKS });
    }
    const sum = (name: keyof Faults): number => faults.reduce((total, one) => total + one[name], 0);
    const total = Object.fromEntries((Object.keys(faults[0]!) as (keyof Faults)[]).map((name) => [name, sum(name)]));
    return {
      tasks: TASKS,
      faults: total,
      house: {
        ...figuresOf(ours),
        nodeCpuMsPerRun: spread(cpu.map(({ node }) => node)),
        serverCpuMsPerRun: spread(cpu.map(({ server }) => server)),
      },
      costliest,
      floor: figuresOf(least),
      houseToFloor: {
        lastStart: ratios(
          ours.map(({ startMs }) => startMs.max),
          least.map(({ startMs }) => startMs.max),
        ),
        allRecorded: ratios(
          ours.map((one) => one.allRecordedMs),
          least.map((one) => one.allRecordedMs),
        ),
      },
    };
  },
};

function figuresOf(rounds: readonly BurstRound[]): object {
  return {
    firstStartMs: spread(rounds.map(({ startMs }) => startMs.first)),
    p50StartMs: spread(rounds.map(({ startMs }) => startMs.p50)),
    lastStartMs: spread(rounds.map(({ startMs }) => startMs.max)),
    allRecordedMs: spread(rounds.map((one) => one.allRecordedMs)),
  };
}
