// Test support. The tables of schedules as their owner sees them: arranging what no port would write, and reading what no
// port tells. Replaces horarium_now() in its database by a clock that tests set.
import { ScheduledRun } from '../../src/schedule/domain/run';
import type { Lease } from '../../src/schedule/domain/dispatch';
import { toRun, type RunRow } from '../../src/schedule/outbound/run.row';
import { ruleValues } from '../../src/schedule/outbound/task.row';
import type { ScheduledTask } from '../../src/schedule/domain/task';
import type { TaskStatus } from '../../src/schedule/domain/status';
import type { TestDatabase } from './database';
import type { Instance } from './fakes/books';
import type { Arrangement, State } from './arrangement';

interface StateRow {
  status: TaskStatus;
  next_run_at: Date | null;
  lease_owner: string | null;
  lease_expires_at: Date | null;
  last_run_at: Date | null;
  last_run_id: string | null;
  last_thread_id: string | null;
  last_error: string | null;
  run_count: number;
  missed_occurrences: number;
  version: number;
  deleted_at: Date | null;
}

export class ScheduleTables implements Arrangement {
  private constructor(private readonly database: TestDatabase) {}

  static async in(database: TestDatabase): Promise<ScheduleTables> {
    await database.admin.query(`
      create table steered_clock (at timestamptz);
      grant select on steered_clock to horarium_app;
      insert into steered_clock values (null);
      create or replace function horarium_now() returns timestamptz language sql volatile
        as 'select coalesce((select at from steered_clock), clock_timestamp())';
      insert into tenants (name, created_at) values ('second', horarium_now())`);
    return new ScheduleTables(database);
  }

  async setLeaseClock(at: Date): Promise<void> {
    await this.database.admin.query('update steered_clock set at = $1', [at]);
  }

  async put(task: ScheduledTask, lease?: Lease): Promise<void> {
    const { id, owner, createdAt, progress } = task;
    await this.database.admin.query(
      `insert into scheduled_tasks
         (id, tenant_id, user_id, created_at, title, prompt, assistant_id, context_mode, thread_id, working_folder,
          schedule_type, schedule_spec, timezone, overlap_policy, misfire_grace_seconds, queue_timeout_seconds, recurring,
          session_id, updated_at, deleted_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
      [id, owner.tenantId, owner.userId, createdAt, ...ruleValues(task)],
    );
    await this.database.admin.query(
      `insert into scheduled_task_states
         (task_id, tenant_id, user_id, status, next_run_at, lease_owner, lease_expires_at, last_run_at, last_run_id,
          last_thread_id, last_error, run_count, missed_occurrences, version)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        ...[id, owner.tenantId, owner.userId, progress.status, progress.nextRunAt, lease?.owner, lease?.expiresAt],
        ...[progress.lastRunAt, progress.lastRunId, progress.lastThreadId, progress.lastError, progress.runCount],
        ...[progress.missedOccurrences, progress.version],
      ],
    );
  }

  async putRun(run: ScheduledRun): Promise<void> {
    const { id, taskId, owner, threadId, agentRunId, instanceId, trigger, status, reason, error, presumed } = run;
    await this.database.admin.query(
      `insert into scheduled_task_runs
         (id, task_id, tenant_id, user_id, thread_id, agent_run_id, instance_id, trigger, status, reason, error,
          presumed, scheduled_for, created_at, started_at, finished_at, late_reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [
        ...[id, taskId, owner.tenantId, owner.userId, threadId, agentRunId, instanceId, trigger, status, reason, error],
        ...[presumed, run.scheduledFor, run.createdAt, run.startedAt, run.finishedAt, run.lateReason],
      ],
    );
  }

  async putInstance(id: string, { heartbeatAt, stoppedAt }: Instance): Promise<void> {
    await this.database.admin.query(
      `insert into instances (id, host, pid, version, started_at, heartbeat_at, stopped_at)
       values ($1, 'here', 1, 'test', $2, $2, $3)
       on conflict (id) do update set heartbeat_at = $2, stopped_at = $3`,
      [id, heartbeatAt, stoppedAt],
    );
  }

  async spoil(taskId: string): Promise<void> {
    await this.database.admin.query(`update scheduled_tasks set schedule_spec = '{"cron": "nonsense"}' where id = $1`, [
      taskId,
    ]);
  }

  async state(taskId: string): Promise<State> {
    const { rows } = await this.database.admin.query<StateRow>(
      `select s.*, t.deleted_at from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id where t.id = $1`,
      [taskId],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`There is no task ${taskId}.`);
    const owner = row.lease_owner;
    return {
      status: row.status,
      nextRunAt: row.next_run_at,
      lastRunAt: row.last_run_at,
      lastRunId: row.last_run_id,
      lastThreadId: row.last_thread_id,
      lastError: row.last_error,
      runCount: row.run_count,
      missedOccurrences: row.missed_occurrences,
      version: row.version,
      deletedAt: row.deleted_at,
      lease: owner === null || row.lease_expires_at === null ? null : { owner, expiresAt: row.lease_expires_at },
    };
  }

  async runsOf(taskId: string): Promise<ScheduledRun[]> {
    const { rows } = await this.database.admin.query<RunRow>(
      'select * from scheduled_task_runs where task_id = $1 order by created_at, id',
      [taskId],
    );
    return rows.map(toRun);
  }

  async clear(): Promise<void> {
    await this.database.admin.query(
      'truncate scheduled_tasks, scheduled_task_states, scheduled_task_runs, instances restart identity cascade',
    );
  }
}
