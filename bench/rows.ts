// Benchmarks. Rows by the million, made in SQL, as the house itself would have written them.
import type { Client } from 'pg';

export interface TaskRows {
  readonly count: number;
  /** Their ids begin with this many hexadecimal digits that no other set of rows has. */
  readonly set: number;
  /** The owners: `user-0` and so on, or one person. */
  readonly users: number | string;
  /** An expression over `n`: when each is due. */
  readonly nextRunAt: string;
}

const ID = `'task-' || lpad(to_hex($1::integer), 4, '0') || lpad(to_hex(n), 28, '0')`;

/** Every seventh one is a single moment, every tenth is paused; cron texts and zones vary. */
export async function fillTasks(client: Client, { count, set, users, nextRunAt }: TaskRows): Promise<void> {
  const user = typeof users === 'string' ? '$3::text' : `'user-' || n % $3::integer`;
  await inBulk(client, ['scheduled_tasks', 'scheduled_task_states'], async () => {
    await client.query(
      `insert into scheduled_tasks
         (id, tenant_id, user_id, title, prompt, assistant_id, context_mode, schedule_type, schedule_spec, timezone,
          created_at, updated_at)
       select ${ID}, 1, ${user}, 'Report number ' || n, repeat('Summarise what is new. ', 16) || n, 'default',
              'fresh_thread_per_run', case when n % 7 = 0 then 'once' else 'cron' end,
              case when n % 7 = 0 then jsonb_build_object('run_at', '2099-01-01T00:00:00+00:00')
                   else jsonb_build_object('cron', n % 60 || ' ' || n / 60 % 24 || ' * * *') end,
              (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[1 + n % 4],
              now() - n * interval '1 second', now() - n * interval '1 second'
         from generate_series(1, $2::integer) as n`,
      [set, count, users],
    );
    await client.query(
      `insert into scheduled_task_states (task_id, tenant_id, user_id, status, next_run_at)
       select ${ID}, 1, ${user}, case when n % 10 = 0 then 'paused' else 'enabled' end, ${nextRunAt}
         from generate_series(1, $2::integer) as n`,
      [set, count, users],
    );
  });
}

/** Finished runs, `each` for every task of a set of tasks; of one task when `tasks` is 1. */
export async function fillRuns(client: Client, set: number, tasks: number, each: number, user: string): Promise<void> {
  const task = ID.replace('to_hex(n)', `to_hex(1 + n % ${tasks})`);
  await inBulk(client, ['scheduled_task_runs'], () =>
    client.query(
      `insert into scheduled_task_runs
         (id, task_id, tenant_id, user_id, thread_id, agent_run_id, trigger, status, error, scheduled_for, created_at,
          started_at, finished_at)
       select 'task-run-' || lpad(to_hex($1::integer), 4, '0') || lpad(to_hex(n), 28, '0'), ${task}, 1, ${user},
              gen_random_uuid()::text, gen_random_uuid()::text, 'scheduled',
              case when n % 50 = 0 then 'failed' else 'success' end, case when n % 50 = 0 then 'It could not.' end,
              at, at, at, at + interval '40 seconds'
         from generate_series(1, $2::integer) as n, lateral (select now() - n * interval '1 second' as at) as moment`,
      [set, tasks * each],
    ),
  );
}

/** What autovacuum would have done by the time that so many rows have come together. */
export async function settle(client: Client): Promise<void> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Without indexes and, where we may, without the triggers of foreign keys; both are there again afterwards. */
async function inBulk(client: Client, tables: readonly string[], fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any ($1::text[]::regclass[]) and not indisprimary`,
    [tables],
  );
  const indexes = rows.filter(({ definition }) => !definition.includes('UNIQUE') || definition.includes('WHERE'));
  await client.query("set session_replication_role = 'replica'").catch(() => undefined);
  await client.query("set synchronous_commit = 'off'; set maintenance_work_mem = '256MB'");
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of indexes) await client.query(definition);
  await client.query('reset session_replication_role; reset synchronous_commit; reset maintenance_work_mem');
}
