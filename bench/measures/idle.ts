// Benchmark. What the house costs the database while nothing is due: on an empty table, and with a million that wait.
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Benchmark } from '../bench';
import { rounded, spread } from '../figures';
import { cpuMs, serverCpuMs } from '../processes';
import { fillRuns, fillTasks, settle } from '../rows';
import { scratchServer, type ScratchDatabase, type ScratchServer } from '../scratch-server';
import { startServer } from '../server-process';
import { since, statementCounts, totalCalls } from '../statements';

const SETTLE_MS = 12_000;
/** Longer than the longest of the safety looks. */
const WINDOW_MS = 65_000;

interface Window {
  readonly statements: number;
  readonly transactions: number;
  readonly serverCpu: number;
  readonly nodeCpu: number;
}

export const idle: Benchmark = {
  name: 'idle',
  about: 'nothing due, 1,000,000 tasks and runs there: statements/s (target < 1) and database CPU ms/s (target < 10)',
  minutes: 30,
  run: async (bench) => {
    const server = await scratchServer(bench);
    const empty = await server.database();
    const filled = await server.database();
    bench.say(`filling in ${bench.options.rows} tasks and runs`);
    const nextRunAt = "now() + interval '1 day' + n * interval '1 second'";
    await fillTasks(filled.admin, { count: bench.options.rows, set: 1, users: 1_000, nextRunAt });
    await fillRuns(filled.admin, 1, Math.floor(bench.options.rows / 100), 100, `'user-' || n % 1000`);
    await settle(filled.admin);
    const windows: Record<'empty' | 'waiting', Window[]> = { empty: [], waiting: [] };
    const calls: { empty: object[]; waiting: object[] } = { empty: [], waiting: [] };
    for (let round = 0; round < bench.options.rounds; round++) {
      const quiet = await watch(bench, server, empty);
      windows.empty.push(quiet.window);
      calls.empty = quiet.calls;
      const seen = await watch(bench, server, filled);
      windows.waiting.push(seen.window);
      calls.waiting = seen.calls;
      const { statements, serverCpu } = seen.window;
      bench.say(`round ${round + 1}: ${rounded(statements)} statements/s, ${rounded(serverCpu)} ms/s of database CPU`);
    }
    const figures = (of: readonly Window[]): object => ({
      statementsPerSecond: spread(of.map(({ statements }) => statements)),
      transactionsPerSecond: spread(of.map(({ transactions }) => transactions)),
      databaseCpuMsPerSecond: spread(of.map(({ serverCpu }) => serverCpu)),
      nodeCpuMsPerSecond: spread(of.map(({ nodeCpu }) => nodeCpu)),
    });
    return {
      windowSeconds: WINDOW_MS / 1_000,
      empty: figures(windows.empty),
      waiting: figures(windows.waiting),
      calls,
    };
  },
};

async function watch(bench: Bench, server: ScratchServer, database: ScratchDatabase) {
  const house = await startServer(bench, { dataDir: bench.folder(), database });
  await pause(SETTLE_MS);
  const before = await reading(server, database, house.pid);
  const began = performance.now();
  await pause(WINDOW_MS);
  const after = await reading(server, database, house.pid);
  const seconds = (performance.now() - began) / 1_000;
  const calls = since(before.counts, after.counts).sort((a, b) => b.calls - a.calls);
  await house.stop();
  const rate = (name: 'statements' | 'transactions' | 'serverCpu' | 'nodeCpu'): number =>
    (after[name] - before[name]) / seconds;
  const window: Window = {
    statements: rate('statements'),
    transactions: rate('transactions'),
    serverCpu: rate('serverCpu'),
    nodeCpu: rate('nodeCpu'),
  };
  return { window, calls };
}

/** Read from the database `postgres`: the reading itself is not counted. */
async function reading(server: ScratchServer, database: ScratchDatabase, pid: number) {
  const counts = await statementCounts(server, database);
  const { rows } = await server.admin.query<{ transactions: number }>(
    `select (xact_commit + xact_rollback)::double precision as transactions from pg_stat_database where datname = $1`,
    [database.name],
  );
  return {
    counts,
    statements: totalCalls(counts),
    transactions: rows[0]?.transactions ?? NaN,
    serverCpu: server.pid === undefined ? NaN : serverCpuMs(server.pid),
    nodeCpu: cpuMs(pid),
  };
}
