// Benchmarks. Many tasks due at one second, as ours and as the minimal scheduler starts them.
import { setTimeout as pause } from 'node:timers/promises';
import { DispatchLedger } from '../src/schedule/ports/dispatch-ledger';
import { LaunchRun } from '../src/schedule/usecases/launch-run';
import { exactNow, type BenchHouse } from './house';
import type { MinimalScheduler } from './minimal-scheduler';
import { latency, type Latency } from './figures';
import type { ScratchDatabase } from './scratch-server';

const PATIENCE_MS = 60_000;

export interface BurstRound {
  /** After the due instant. */
  readonly startMs: Latency & { readonly first: number };
  readonly allRecordedMs: number;
}

export interface Faults {
  readonly notStarted: number;
  readonly startedTwice: number;
  readonly early: number;
  readonly runsNotExactlyOne: number;
  readonly runsNotSuccess: number;
  readonly tasksNotRescheduled: number;
  readonly agentRunsNotSuccess: number;
}

/** All enabled tasks of the database become due at the next whole second that leaves time to get ready. */
export async function houseBurst(
  house: BenchHouse,
  { admin }: ScratchDatabase,
  tasks: number,
): Promise<BurstRound & { faults: Faults }> {
  await admin.query('vacuum analyze scheduled_task_states');
  house.driver.starts.clear();
  house.driver.doubled = 0;
  const recorded = endsOf(house, tasks);
  const dueAt = soon();
  await admin.query("update scheduled_task_states set next_run_at = $1 where status = 'enabled'", [dueAt]);
  house.wakePoller();
  const allRecordedMs = (await inTime(recorded)) - dueAt.getTime();
  // A launch is written down after its end where the end was quicker.
  await house.app.get(LaunchRun).drain();
  const { rows } = await admin.query<{ started_at: Date }>(
    'select started_at from scheduled_task_runs where scheduled_for = $1 and started_at is not null',
    [dueAt],
  );
  const late = rows.map((row) => row.started_at.getTime() - dueAt.getTime());
  return {
    startMs: { first: Math.min(...late), ...latency(late) },
    allRecordedMs,
    faults: {
      notStarted: tasks - house.driver.starts.size,
      startedTwice: house.driver.doubled,
      early: late.filter((ms) => ms < 0).length,
      ...(await storedFaults(admin, dueAt, tasks)),
    },
  };
}

async function storedFaults(admin: ScratchDatabase['admin'], dueAt: Date, tasks: number) {
  const { rows } = await admin.query<
    Pick<Faults, 'runsNotExactlyOne' | 'runsNotSuccess' | 'tasksNotRescheduled' | 'agentRunsNotSuccess'>
  >(
    `with r as (select * from scheduled_task_runs where scheduled_for = $1)
     select $2 - (select count(distinct task_id) from r)::integer
              + (select count(*) - count(distinct task_id) from r)::integer as "runsNotExactlyOne",
            (select count(*) from r where status <> 'success')::integer as "runsNotSuccess",
            (select count(*) from scheduled_task_states s join r on r.task_id = s.task_id
              where s.status <> 'enabled' or s.next_run_at <= $1 or s.next_run_at is null
                 or s.last_run_id is distinct from r.agent_run_id or s.lease_owner is not null)::integer
              as "tasksNotRescheduled",
            $2 - (select count(*) from agent_runs a join r on r.id = a.request_id where a.status = 'success')::integer
              as "agentRunsNotSuccess"`,
    [dueAt, tasks],
  );
  return rows[0]!;
}

export async function floorBurst(floor: MinimalScheduler, tasks: number): Promise<BurstRound> {
  const late: number[] = [];
  const dueAt = soon();
  await floor.fill(tasks, dueAt);
  floor.onStart = ({ at }) => late.push(at - dueAt.getTime());
  floor.wake();
  await until(() => Promise.resolve(late.length >= tasks), 5);
  await until(async () => (await floor.finished()) >= tasks, 20);
  const allRecordedMs = exactNow() - dueAt.getTime();
  return { startMs: { first: Math.min(...late), ...latency(late) }, allRecordedMs };
}

/** When the end of every run is written down. Recovery may write some of it once more; that does not count. */
function endsOf({ app }: BenchHouse, tasks: number): Promise<number> {
  const ledger = app.get<DispatchLedger>(DispatchLedger);
  const record = ledger.record.bind(ledger);
  const ended = new Set<string>();
  return new Promise((resolve) => {
    ledger.record = async (runId, event) => {
      const result = await record(runId, event);
      if (event.type === 'ended') ended.add(runId);
      if (ended.size === tasks) {
        ledger.record = record;
        resolve(exactNow());
      }
      return result;
    };
  });
}

function inTime<T>(awaited: Promise<T>): Promise<T> {
  const late = pause(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('the burst did not end in time');
  });
  return Promise.race([awaited, late]);
}

function soon(): Date {
  return new Date(Math.ceil(exactNow() / 1_000) * 1_000 + 4_000);
}

async function until(done: () => Promise<boolean>, everyMs: number): Promise<void> {
  const deadline = exactNow() + PATIENCE_MS;
  while (!(await done())) {
    if (exactNow() > deadline) throw new Error('the burst did not end in time');
    await pause(everyMs);
  }
}
