// Chaos harness, the front door: `npm run chaos -- --seed S --seconds N`. Real processes, a real PostgreSQL, agents that write
// down what they did outside of it, and seeded faults. The last line is the verdict, as one JSON object.
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, Faults, faultsNamed } from './faults';
import { Random } from './random';
import { leftToDo, makeTasks } from './tasks';
import { judge, type Verdict } from './verdict';
import { World } from './world';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    instances: { type: 'string', default: '3' },
    'per-second': { type: 'string', default: '5' },
    minutely: { type: 'string', default: '30' },
    budget: { type: 'string', default: '40' },
    only: { type: 'string', default: 'all' },
    keep: { type: 'boolean', default: false },
  },
});
const number = (name: 'seed' | 'seconds' | 'instances' | 'per-second' | 'minutely' | 'budget'): number => {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number`);
  return value;
};

const began = performance.now();
const say = (line: string): void => {
  process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`);
};

/** What must not cost a single run. */
const ORDERLY: ReadonlySet<Fault> = new Set(['restart in order', 'rolling restart', 'mute the lines']);

/** Whether the verdict is a good one. */
const holds = ({ double, lost, leaked, stuck }: Verdict): boolean => double + lost + leaked + stuck === 0;

async function main(): Promise<Verdict> {
  const seconds = number('seconds');
  const kinds = faultsNamed(values.only);
  const world = await World.make({ instances: number('instances'), budget: number('budget') });
  // Ctrl-C leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void world.close(false).finally(() => process.exit(1)));
  }
  let keep = true;
  try {
    say(`seed ${number('seed')}, ${seconds} s; everything lies in ${world.folder}`);
    await Promise.all(world.nodes.map((node) => node.start()));
    await makeTasks(world, { seconds, perSecond: number('per-second'), minutely: number('minutely') });
    say('the instances are ready and the tasks are made: the faults begin');
    const faults = new Faults(world, new Random(number('seed')), say, seconds >= 300, kinds);
    await faults.strike(performance.now() + seconds * 1_000);
    say(`the faults are over: ${[...faults.counts].map(([fault, count]) => `${count} × ${fault}`).join(', ')}`);
    await calm(world);
    await Promise.all(world.nodes.map((node) => node.stop()));
    say('every instance has stopped in order');
    const orderly = kinds.every((kind) => ORDERLY.has(kind));
    const { settleMs, killedAgents } = faults;
    const verdict = await judge(world, { settleMs, killedAgents, orderly }, say);
    keep = values.keep || !holds(verdict);
    return verdict;
  } finally {
    await world.close(keep);
    if (keep) say(`the logs, the ledger and the database are kept in ${world.folder}`);
  }
}

/** Until all is done that must be done, or until nothing more is done for so long that the verdict may say what is left. */
async function calm(world: World): Promise<void> {
  let [fewest, moved] = [Infinity, performance.now()];
  for (let said = 0; performance.now() - moved < 90_000; said++) {
    const { due, active } = await leftToDo(world);
    if (due + active === 0) return;
    if (due + active < fewest) [fewest, moved] = [due + active, performance.now()];
    if (said % 20 === 0) say(`${due} moments still to come, ${active} runs under way`);
    await pause(500);
  }
  say('nothing has come to its end for 90 s');
}

main().then(
  (verdict) => {
    process.stdout.write(`${JSON.stringify(verdict)}\n`);
    process.exit(holds(verdict) ? 0 : 1);
  },
  (error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  },
);
