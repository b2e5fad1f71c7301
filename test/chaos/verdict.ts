// Chaos harness. What the agents wrote down is compared with what the house wrote down. Every figure but the first and the
// last must be 0.
import type { InstanceProcess } from './instance-process';
import { Ledger } from './ledger';
import type { World } from './world';

/** Of twenty killed instances nineteen, wherever there is another one that nothing is done to. */
const SETTLED_WITHIN_MS = 10_000;

export interface Verdict {
  readonly occurrences: number;
  /** Occurrences that were started twice. */
  readonly double: number;
  /** Occurrences without a row, ends without a reason, starts without a row, healthy runs that were called interrupted. */
  readonly lost: number;
  /** Places of the budget, threads and leases that nobody gives back. */
  readonly leaked: number;
  /** Tasks that will not go on, and processes that were not settled or did not stop as they must. */
  readonly stuck: number;
  readonly settle_p95_ms: number;
}

interface RunRow {
  readonly id: string;
  readonly task_id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly error: string | null;
  readonly scheduled_for: Date;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** Of the process that dispatched it, and of the one that started its agent. */
  readonly folders: readonly (string | null)[];
}

export interface Course {
  readonly settleMs: readonly number[];
  /** Runs whose agents were killed. */
  readonly killedAgents: ReadonlySet<string>;
  /** Nothing was done that may cost a run: no agent may have been interrupted. */
  readonly orderly: boolean;
}

export async function judge(
  world: World,
  { settleMs, killedAgents, orderly }: Course,
  say: (line: string) => void,
): Promise<Verdict> {
  const ledger = Ledger.read(world.ledgerFile);
  const runs = await world.ask<RunRow>(
    `select r.id, r.task_id, r.status, r.reason, r.error, r.scheduled_for, r.created_at, r.finished_at,
            array[i.data_folder, s.data_folder] as folders
       from scheduled_task_runs r
       left join instances i on i.id = r.instance_id
       left join agent_runs a on a.request_id = r.id
       left join instances s on s.id = a.instance_id`,
  );
  const tell = (what: string, found: readonly string[]): number => {
    if (found.length > 0) say(`${what}: ${found.length}, for example ${found.slice(0, 5).join(', ')}`);
    return found.length;
  };
  const byId = new Map(runs.map((run) => [run.id, run]));
  const started = new Set(ledger.starts.map(({ runId }) => runId));
  const lost =
    tell('occurrences without a row', await withoutRow(world)) +
    tell(
      'ended without a reason',
      runs.filter(unexplained).map(({ id }) => id),
    ) +
    tell(
      'started without a row',
      [...started].filter((id) => !byId.has(id)),
    ) +
    tell(
      'called a success and never started',
      runs.filter(({ id, status }) => status === 'success' && !started.has(id)).map(({ id }) => id),
    ) +
    tell(
      'healthy, and called interrupted',
      runs
        .filter(({ id, status }) => status === 'interrupted' && !killedAgents.has(id))
        .filter((run) => orderly || isHealthy(run, world.nodes))
        .map(({ id, reason, error }) => `${id} (${reason}: ${error})`),
    );
  const p95 = percentile(settleMs, 0.95);
  const leaked = tell('places, threads and leases that are not given back', await leaks(world));
  const stuck =
    tell('tasks that will not go on', await stuckTasks(world)) +
    tell('killed instances that were settled too late', p95 > SETTLED_WITHIN_MS ? late(settleMs) : []) +
    tell(
      'stops in order with another exit code than 0',
      world.nodes.flatMap(({ badEnds }) => badEnds),
    );
  return {
    occurrences: runs.length,
    double: tell('started twice', doubles(ledger)),
    lost,
    leaked,
    stuck,
    settle_p95_ms: Math.round(p95),
  };
}

function doubles({ starts }: Ledger): string[] {
  const seen = new Set<string>();
  return starts
    .map(({ taskId, occurrence }) => `${taskId} ${occurrence}`)
    .filter((key) => {
      const again = seen.has(key);
      seen.add(key);
      return again;
    });
}

function unexplained({ status, reason, error }: RunRow): boolean {
  return ['failed', 'interrupted', 'skipped'].includes(status) && (reason === null || error === null || error === '');
}

/** Nothing was done meanwhile to those that had it in hand. What is done to the database is no excuse. */
function isHealthy(run: RunRow, nodes: readonly InstanceProcess[]): boolean {
  const [from, until] = [run.created_at.getTime(), (run.finished_at ?? run.created_at).getTime()];
  const held = nodes.filter(({ dataDir }) => run.folders.includes(dataDir));
  const undisturbed = held.every((node) => node.disturbances.every((each) => each.until < from || each.from > until));
  return held.length > 0 && undisturbed;
}

/** Each moment has its run; each minute has its run, or is counted as missed. */
async function withoutRow(world: World): Promise<string[]> {
  const rows = await world.ask<{ id: string }>(
    `select t.id
       from scheduled_tasks t
       join scheduled_task_states s on s.task_id = t.id
       left join lateral (select count(*)::integer as rows from scheduled_task_runs r
                           where r.task_id = t.id and r.trigger = 'scheduled') r on true
      where case t.schedule_type
              when 'once' then r.rows <> 1
              else r.rows + s.missed_occurrences <>
                   round(extract(epoch from s.next_run_at - (date_trunc('minute', t.created_at) + interval '1 minute')) / 60)
            end`,
  );
  return rows.map(({ id }) => id);
}

async function leaks(world: World): Promise<string[]> {
  const rows = await world.ask<{ what: string }>(
    `select 'run ' || id || ' ' || status as what from scheduled_task_runs where status in ('waiting', 'queued', 'running')
     union all
     select 'agent run ' || id || ' ' || status from agent_runs where status in ('queued', 'starting', 'running')
     union all
     select 'lease of ' || task_id from scheduled_task_states where lease_owner is not null`,
  );
  return rows.map(({ what }) => what);
}

async function stuckTasks(world: World): Promise<string[]> {
  const rows = await world.ask<{ what: string }>(
    `select s.task_id || ' ' || s.status as what
       from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
      where case t.schedule_type
              when 'once' then s.status not in ('completed', 'failed', 'cancelled')
              else s.status <> 'enabled' or s.next_run_at is null or s.next_run_at < now() - interval '90 seconds'
            end`,
  );
  return rows.map(({ what }) => what);
}

function late(settleMs: readonly number[]): string[] {
  return settleMs.filter((ms) => ms > SETTLED_WITHIN_MS).map((ms) => `after ${Math.round(ms)} ms`);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
