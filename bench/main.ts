// Benchmarks. Picks one by name, bounds its time, tidies up after it whatever happens, and prints its result as one JSON
// object on the last line of standard output. Everything else goes to standard error.
import { cpus, loadavg, totalmem } from 'node:os';
import { Bench, type Benchmark } from './bench';
import { agents } from './measures/agents';
import { burst } from './measures/burst';
import { create } from './measures/create';
import { driveQueue } from './measures/drive-queue';
import { driveSync } from './measures/drive-sync';
import { floor } from './measures/floor';
import { idle } from './measures/idle';
import { lateness } from './measures/lateness';
import { list } from './measures/list';
import { memory } from './measures/memory';
import { notifications } from './measures/notifications';
import { ready } from './measures/ready';
import { surveys } from './measures/surveys';

const BENCHMARKS: readonly Benchmark[] = [
  ready,
  memory,
  list,
  create,
  lateness,
  burst,
  idle,
  floor,
  surveys,
  driveQueue,
  driveSync,
  notifications,
  agents,
];

const USAGE = `npm run bench -- --list
npm run bench -- <name> [--rounds 5] [--rows 1000000]

BENCH_DATABASE_URL: a server (superuser) to use instead of a cluster of its own.`;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--list')) {
    for (const { name, about } of BENCHMARKS) process.stdout.write(`${name.padEnd(14)}${about}\n`);
    return;
  }
  const benchmark = BENCHMARKS.find(({ name }) => name === args[0]);
  if (benchmark === undefined) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const bench = new Bench({ rounds: option(args, '--rounds', 5), rows: option(args, '--rows', 1_000_000) });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(bench, 130));
  const bound = setTimeout(() => {
    process.stderr.write(`Not done within ${benchmark.minutes} minutes: given up\n`);
    void leave(bench, 1);
  }, benchmark.minutes * 60_000);
  const loadBefore = loadavg()[0];
  try {
    const result = await benchmark.run(bench);
    await bench.close();
    const machine = { cores: cpus().length, memoryGib: Math.round(totalmem() / 2 ** 30), node: process.version };
    const load = { before: loadBefore, after: loadavg()[0] };
    process.stdout.write(
      `${JSON.stringify({ benchmark: benchmark.name, ...bench.options, machine, load, ...result })}\n`,
    );
  } catch (error) {
    process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
    process.exitCode = 1;
    await bench.close();
  } finally {
    clearTimeout(bound);
  }
}

async function leave(bench: Bench, code: number): Promise<void> {
  setTimeout(() => process.exit(code), 30_000).unref();
  await bench.close();
  process.exit(code);
}

function option(args: readonly string[], name: string, otherwise: number): number {
  const at = args.indexOf(name);
  if (at < 0) return otherwise;
  const value = Number(args[at + 1]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} wants a whole number`);
  return value;
}

void main(process.argv.slice(2));
