// Benchmark. One task due: how late it starts, on an empty table, among a million that wait, and as the floor does it.
// The three take turns, task by task, so that they meet the same machine.
import { setTimeout as pause } from 'node:timers/promises';
import { CreateTask } from '../../src/schedule/usecases/create-task';
import type { Benchmark } from '../bench';
import { latency, ratios, rounded, spread, type Latency } from '../figures';
import { benchHouse, exactNow, type BenchHouse } from '../house';
import { MinimalScheduler } from '../minimal-scheduler';
import { fillTasks, settle } from '../rows';
import { scratchServer, type ScratchDatabase } from '../scratch-server';

const SAMPLES = 40;
const PATIENCE_MS = 15_000;

type Sample = () => Promise<number>;

export const lateness: Benchmark = {
  name: 'lateness',
  about:
    'one task due: start minus planned instant, empty table and 1,000,000 waiting (p50 < 10, p99 < 60 ms), and floor',
  minutes: 30,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const empty = await server.database();
    const filled = await server.database();
    bench.say(`filling in ${bench.options.rows} tasks`);
    const nextRunAt = "now() + interval '1 day' + n * interval '1 second'";
    await fillTasks(filled.admin, { count: bench.options.rows, set: 1, users: 1_000, nextRunAt });
    await settle(filled.admin);
    const floor = await MinimalScheduler.open(bench, empty);
    const houses = { empty: await benchHouse(bench, empty), filled: await benchHouse(bench, filled) };
    const contenders: Record<string, Sample> = {
      empty: () => houseSample(houses.empty),
      waiting: () => houseSample(houses.filled),
      floor: () => floorSample(floor),
    };
    const rounds: Record<string, Latency[]> = { empty: [], waiting: [], floor: [] };
    const all: Record<string, number[]> = { empty: [], waiting: [], floor: [] };
    for (const sample of Object.values(contenders)) for (let n = 0; n < 5; n++) await sample();
    for (let round = 0; round < bench.options.rounds; round++) {
      const samples: Record<string, number[]> = { empty: [], waiting: [], floor: [] };
      for (let n = 0; n < SAMPLES; n++) {
        for (const [name, sample] of Object.entries(contenders)) samples[name]!.push(await sample());
      }
      for (const [name, values] of Object.entries(samples)) {
        rounds[name]!.push(latency(values));
        all[name]!.push(...values);
      }
      bench.say(
        `round ${round + 1}: ${Object.entries(rounds)
          .map(([name, of]) => `${name} p50 ${of.at(-1)!.p50}`)
          .join(', ')}`,
      );
    }
    const p50 = (name: string): number[] => rounds[name]!.map((one) => one.p50);
    return {
      samplesEach: SAMPLES * bench.options.rounds,
      lateMs: Object.fromEntries(
        Object.keys(rounds).map((name) => [
          name,
          { p50OfRounds: spread(p50(name)), ofAllSamples: latency(all[name]!) },
        ]),
      ),
      early: Object.values(all)
        .flat()
        .filter((ms) => ms < 0).length,
      waitingToEmpty: { p50: ratios(p50('waiting'), p50('empty')), p50OfAllSamples: ofAll(all, 'waiting', 'empty') },
      emptyToFloor: { p50: ratios(p50('empty'), p50('floor')), p50OfAllSamples: ofAll(all, 'empty', 'floor') },
      storedLateMs: { empty: await stored(empty), waiting: await stored(filled) },
    };
  },
};

function ofAll(all: Readonly<Record<string, number[]>>, one: string, to: string): number {
  return rounded(latency(all[one]!).p50 / latency(all[to]!).p50);
}

/** As the history shows it: in whole milliseconds of the house's own clock. */
async function stored({ admin }: ScratchDatabase): Promise<Latency> {
  const { rows } = await admin.query<{ late: number }>(
    `select extract(epoch from started_at - scheduled_for)::double precision * 1000 as late from scheduled_task_runs
      where started_at is not null`,
  );
  return latency(rows.map(({ late }) => late));
}

function moment(): number {
  return Math.round(exactNow() + 250 + Math.random() * 300);
}

async function houseSample({ app, driver, clock }: BenchHouse): Promise<number> {
  const offset = clock.now().getTime() - exactNow();
  const dueAt = moment();
  const begun = new Promise<number>((resolve) => {
    driver.onStart = (_, at) => resolve(at);
  });
  await app.get(CreateTask).run(
    { type: 'user', tenantId: 1, userId: 'punctual', roles: ['user'] },
    {
      title: 'One',
      prompt: 'Do it.',
      scheduleType: 'once',
      scheduleSpec: { run_at: new Date(dueAt).toISOString() },
      timezone: 'UTC',
    },
    clock.now(),
  );
  return late(begun, dueAt, offset);
}

async function floorSample(floor: MinimalScheduler): Promise<number> {
  const dueAt = moment();
  const begun = new Promise<number>((resolve) => {
    floor.onStart = ({ at }) => resolve(at);
  });
  await floor.add(`task-${dueAt}`, new Date(dueAt));
  return late(begun, dueAt, 0);
}

/** By the clock that decided when it was due. Afterwards there is time to write everything down. */
async function late(begun: Promise<number>, dueAt: number, offset: number): Promise<number> {
  const never = pause(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('a task did not start in time');
  });
  const at = await Promise.race([begun, never]);
  await pause(50);
  return at + offset - dueAt;
}
