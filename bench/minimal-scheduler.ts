// Benchmarks. The floor: a scheduler in a hundred lines of SQL and nothing else, with the semantics of ours (ordered
// claim, one active run for each task, rescheduling, a row for each run, completion), and none of its rules: no budget,
// no owners, no threads, no agent runs, one process. What the machine and PostgreSQL allow.
import { Client } from 'pg';
import type { Bench } from './bench';
import { exactNow } from './house';
import type { ScratchDatabase } from './scratch-server';

const BATCH = 1_000;

const SCHEMA = `
  create table floor_tasks (
    id text primary key, owner text not null, title text not null, prompt text not null, status text not null,
    next_run_at timestamptz, run_count integer not null default 0, last_run_at timestamptz, created_at timestamptz not null);
  create index on floor_tasks (owner, created_at);
  create index on floor_tasks (next_run_at, id) where status = 'enabled' and next_run_at is not null;
  create table floor_runs (
    id text primary key default gen_random_uuid()::text, task_id text not null, status text not null,
    scheduled_for timestamptz not null, started_at timestamptz, finished_at timestamptz);
  create unique index on floor_runs (task_id) where status = 'running';
  create index on floor_runs (task_id, scheduled_for);`;

const CLAIM = `
  with due as (
    select id, prompt, next_run_at from floor_tasks
     where next_run_at <= clock_timestamp() and status = 'enabled' order by next_run_at, id limit ${BATCH}
       for update skip locked
  ), moved as (
    update floor_tasks t set next_run_at = t.next_run_at + interval '1 day', run_count = run_count + 1,
                             last_run_at = clock_timestamp()
      from due where t.id = due.id
  ), started as (
    insert into floor_runs (task_id, status, scheduled_for, started_at)
    select d.id, case when exists (select from floor_runs r where r.task_id = d.id and r.status = 'running')
                      then 'skipped' else 'running' end, d.next_run_at, clock_timestamp() from due d
    returning id, task_id, status, scheduled_for
  )
  select s.*, d.prompt from started s join due d on d.id = s.task_id order by s.scheduled_for, s.task_id`;

const COMPLETE = `update floor_runs set status = 'success', finished_at = clock_timestamp() where id = any ($1)`;

export interface FloorStart {
  readonly scheduledFor: Date;
  readonly at: number;
}

export class MinimalScheduler {
  onStart: (start: FloorStart) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private working = false;
  private again = false;

  private constructor(
    private readonly client: Client,
    private readonly completing: Client,
  ) {}

  static async open(bench: Bench, { ownerUrl }: ScratchDatabase): Promise<MinimalScheduler> {
    const connect = async (): Promise<Client> => {
      const client = new Client({ connectionString: ownerUrl });
      await client.connect();
      bench.later(() => client.end());
      return client;
    };
    const scheduler = new MinimalScheduler(await connect(), await connect());
    await scheduler.client.query(SCHEMA);
    await scheduler.client.query("set enable_seqscan = 'off'; set enable_bitmapscan = 'off'; set enable_sort = 'off'");
    bench.later(() => clearTimeout(scheduler.timer));
    return scheduler;
  }

  async fill(count: number, nextRunAt: Date): Promise<void> {
    await this.client.query('truncate floor_tasks, floor_runs');
    await this.client.query(
      `insert into floor_tasks (id, owner, title, prompt, status, next_run_at, created_at)
       select 'task-' || lpad(to_hex(n), 32, '0'), 'alice', 'Report number ' || n,
              repeat('Summarise what is new. ', 16) || n, 'enabled', $2, now() from generate_series(1, $1::integer) as n`,
      [count, nextRunAt],
    );
    await this.client.query('vacuum analyze floor_tasks');
  }

  /** Adds one task that is due then. */
  async add(id: string, dueAt: Date): Promise<void> {
    await this.completing.query(
      `insert into floor_tasks (id, owner, title, prompt, status, next_run_at, created_at)
       values ($1, 'alice', 'One', 'Do it.', 'enabled', $2, now())`,
      [id, dueAt],
    );
    this.wake();
  }

  wake(): void {
    this.again = true;
    if (!this.working) void this.work();
  }

  private async work(): Promise<void> {
    clearTimeout(this.timer);
    this.working = true;
    try {
      do {
        this.again = false;
        while ((await this.claim()) === BATCH);
      } while (this.again);
      const { rows } = await this.client.query<{ at: Date | null }>(
        `select next_run_at as at from floor_tasks where status = 'enabled' and next_run_at is not null
          order by next_run_at, id limit 1`,
      );
      const at = rows[0]?.at?.getTime();
      if (at !== undefined) this.timer = setTimeout(() => this.wake(), Math.min(2 ** 30, Math.max(0, at - exactNow())));
    } finally {
      this.working = false;
    }
    if (this.again) this.wake();
  }

  private async claim(): Promise<number> {
    const { rows } = await this.client.query<{ id: string; status: string; scheduled_for: Date }>(CLAIM);
    const at = exactNow();
    for (const { scheduled_for: scheduledFor } of rows) this.onStart({ scheduledFor, at });
    if (rows.length > 0) this.complete(rows.filter(({ status }) => status === 'running').map(({ id }) => id));
    return rows.length;
  }

  private complete(ids: string[]): void {
    this.completing.query(COMPLETE, [ids]).catch((error: unknown) => {
      throw error;
    });
  }

  async finished(): Promise<number> {
    const { rows } = await this.completing.query<{ count: number }>(
      `select count(*)::integer as count from floor_runs where status = 'success'`,
    );
    return rows[0]?.count ?? 0;
  }
}
