// Benchmark. The queue of Drive jobs: how soon a job starts that was just queued, and how many that do nothing four workers
// bring to their end. The house's own worker, woken as in production; then four like it, with handlers that do nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { renameFolder } from '../../src/drive-sync/domain/jobs';
import { SyncPolicy } from '../../src/drive-sync/domain/sync-policy';
import { Drives } from '../../src/drive-sync/ports/drive';
import { IntegrationRepository } from '../../src/drive-sync/ports/integration-repository';
import { JobQueue } from '../../src/drive-sync/ports/job-queue';
import { ConnectionLost } from '../../src/drive-sync/usecases/connection-lost';
import { DrainQueue } from '../../src/drive-sync/usecases/drain-queue';
import { JobHandlers } from '../../src/drive-sync/usecases/job-handlers';
import { RunJob } from '../../src/drive-sync/usecases/run-job';
import { systemActor } from '../../src/kernel/actor';
import type { Bench, Benchmark } from '../bench';
import { latency, rounded, spread } from '../figures';
import { type BenchHouse, benchHouse } from '../house';
import { type ScratchDatabase, scratchServer } from '../scratch-server';

const ACTOR = systemActor('bench');
const JOBS = 1_000;
const WORKERS = 4;
const SINGLE = 200;
const NOWHERE = 'http://127.0.0.1:9';

export const driveQueue: Benchmark = {
  name: 'drive-queue',
  about: 'Drive jobs: from queued to started (target p50 < 100 ms); 1,000 that do nothing, 4 workers (≥ 200 jobs/s)',
  minutes: 10,
  run: async (bench) => {
    const database = await (await scratchServer(bench)).database();
    const house = await connectedHouse(bench, database);
    const waits = await startsOf(house, database);
    await house.app.get(DrainQueue).stop();
    const rates: number[] = [];
    for (let round = 0; round < bench.options.rounds; round++) {
      rates.push(await rateOf(house, database, round));
      bench.say(`round ${round + 1}: ${rounded(rates.at(-1)!)} jobs/s`);
    }
    return { queuedToStartedMs: latency(waits), jobs: JOBS, workers: WORKERS, jobsPerSecond: spread(rates) };
  },
};

/** Connected, as far as the queue is concerned: no job here asks Drive for anything. */
async function connectedHouse(bench: Bench, database: ScratchDatabase): Promise<BenchHouse> {
  const house = await benchHouse(bench, database, {
    DRIVE_OAUTH_CLIENT_ID: 'bench',
    DRIVE_OAUTH_CLIENT_SECRET: 'a secret of benchmarks',
    DRIVE_API_ROOT_URL: NOWHERE,
  });
  await database.admin.query(
    `insert into tenant_drive_integrations (tenant_id, status, refresh_token, last_sync_at, created_at, updated_at)
     values (1, 'CONNECTED', '\\x00', now() + interval '1 day', now(), now())`,
  );
  return house;
}

/** One after another, each queued into an idle house. */
async function startsOf(house: BenchHouse, { admin }: ScratchDatabase): Promise<number[]> {
  const queue = house.app.get<JobQueue>(JobQueue, { strict: false });
  for (let nr = 0; nr < SINGLE; nr++) {
    await queue.enqueue(ACTOR, [renameFolder(1, 'task', `nobody ${nr}`)], house.clock.now());
    for (let waiting = true; waiting; await pause(3)) {
      const { rows } = await admin.query<{ waiting: boolean }>(
        'select exists (select from drive_sync_jobs where finished_at is null) as waiting',
      );
      waiting = rows[0]?.waiting === true;
    }
  }
  const { rows } = await admin.query<{ ms: string }>(
    'select extract(epoch from started_at - created_at) * 1000 as ms from drive_sync_jobs order by id',
  );
  return rows.map(({ ms }) => Number(ms));
}

async function rateOf(house: BenchHouse, { admin }: ScratchDatabase, round: number): Promise<number> {
  const queue = house.app.get<JobQueue>(JobQueue, { strict: false });
  const workers = Array.from({ length: WORKERS }, (_, nr) => idleHands(house, queue, `worker-${nr}`));
  const jobs = Array.from({ length: JOBS }, (_, nr) => renameFolder(1, 'task', `${round} ${nr}`));
  await queue.enqueue(ACTOR, jobs, house.clock.now());
  const since = performance.now();
  await Promise.all(workers.map((worker) => worker.idle()));
  const seconds = (performance.now() - since) / 1_000;
  const { rows } = await admin.query<{ undone: number }>(
    `select count(*)::integer as undone from drive_sync_jobs where status <> 'SUCCESS'`,
  );
  if (rows[0]?.undone !== 0) throw new Error(`${rows[0]?.undone} jobs were not done`);
  return JOBS / seconds;
}

/** As the house makes its own (drive-sync.module.ts), but for the handler. */
function idleHands({ app, clock }: BenchHouse, queue: JobQueue, id: string): DrainQueue {
  const part = <T>(token: unknown): T => app.get<T>(token as never, { strict: false });
  const handlers = new JobHandlers([{ type: 'RENAME_FOLDER', run: () => Promise.resolve() }]);
  const integrations = part<IntegrationRepository>(IntegrationRepository);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const metrics = { started: () => undefined, ended: () => undefined };
  const lost = new ConnectionLost(integrations, log);
  const drives = part<Drives>(Drives);
  const jobs = new RunJob(handlers, drives, integrations, queue, lost, metrics, log, clock, Math.random);
  const wake = { wake: () => undefined, arrives: true };
  return new DrainQueue(queue, wake, handlers, jobs, metrics, log, part(SyncPolicy), { id }, clock);
}
