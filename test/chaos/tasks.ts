// Chaos harness. The tasks: single moments spread over the whole time, and minutely ones. Made in SQL, as the house would
// have written them: at a hundred a second, requests would be what is measured.
import type { World } from './world';

export interface TaskLoad {
  readonly seconds: number;
  /** Single moments a second. */
  readonly perSecond: number;
  readonly minutely: number;
}

export async function makeTasks(world: World, { seconds, perSecond, minutely }: TaskLoad): Promise<void> {
  // Some work for a while, most are over at once; prompts are seconds.
  const prompt = `case when n % 40 = 0 then '1' when n % 40 = 1 then '0.3' when n % 400 = 2 then '4' else '0' end`;
  const moments = Math.floor(seconds * perSecond);
  await world.ask(
    `with made as (
       insert into scheduled_tasks
         (id, tenant_id, user_id, title, prompt, assistant_id, context_mode, schedule_type, schedule_spec, timezone,
          created_at, updated_at)
       select 'task-' || lpad(to_hex(n), 32, '0'), 1, 'user-' || n % 20, 'moment ' || n, ${prompt}, 'default',
              'fresh_thread_per_run', 'once',
              jsonb_build_object('run_at', to_char((now() + make_interval(secs => 2 + n / $2::double precision)) at time zone 'UTC',
                                                   'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')),
              'UTC', now(), now()
         from generate_series(1, $1::integer) as n
       returning id, tenant_id, user_id, (schedule_spec ->> 'run_at')::timestamptz as due
     )
     insert into scheduled_task_states (task_id, tenant_id, user_id, status, next_run_at)
     select id, tenant_id, user_id, 'enabled', due from made`,
    [moments, perSecond],
  );
  await world.ask(
    `with made as (
       insert into scheduled_tasks
         (id, tenant_id, user_id, title, prompt, assistant_id, context_mode, schedule_type, schedule_spec, timezone,
          created_at, updated_at)
       select 'task-f' || lpad(to_hex(n), 31, '0'), 1, 'user-' || n % 20, 'every minute ' || n, ${prompt}, 'default',
              'fresh_thread_per_run', 'cron', jsonb_build_object('cron', '* * * * *'), 'UTC', now(), now()
         from generate_series(1, $1::integer) as n
       returning id, tenant_id, user_id
     )
     insert into scheduled_task_states (task_id, tenant_id, user_id, status, next_run_at)
     select id, tenant_id, user_id, 'enabled', date_trunc('minute', now()) + interval '1 minute' from made`,
    [minutely],
  );
}

/** What is still to come of what must come, and what is under way. */
export async function leftToDo(world: World): Promise<{ due: number; active: number }> {
  const [row] = await world.ask<{ due: number; active: number }>(
    `select (select count(*)::integer from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
              where t.schedule_type = 'once' and s.status in ('enabled', 'running')) as due,
            (select count(*)::integer from scheduled_task_runs where status in ('waiting', 'queued', 'running')) as active`,
  );
  return row ?? { due: 0, active: 0 };
}
