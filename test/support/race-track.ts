// Test support. Several processes on one PostgreSQL: what every race test of the schedule begins with.
import { randomUUID } from 'node:crypto';
import { SqlDispatchLedger } from '../../src/schedule/outbound/sql-dispatch-ledger';
import { SqlTaskRepository } from '../../src/schedule/outbound/sql-task-repository';
import { testDatabase, type TestDatabase } from './database';
import { HeldSessions } from './held-sessions';
import { NOON } from './schedule-builders';
import { ScheduleProcess, type ProcessParts } from './schedule-process';
import { ScheduleTables } from './schedule-tables';

/** A process whose transactions can be held at a barrier. */
export class RacingProcess extends ScheduleProcess {
  constructor(
    readonly sessions: HeldSessions,
    readonly tasks: SqlTaskRepository,
    parts: ProcessParts,
  ) {
    super(parts);
  }
}

export class RaceTrack {
  private constructor(
    readonly database: TestDatabase,
    readonly is: ScheduleTables,
  ) {}

  static async open(): Promise<RaceTrack> {
    const database = await testDatabase({ poolSize: 30 });
    return new RaceTrack(database, await ScheduleTables.in(database));
  }

  async clear(): Promise<void> {
    await this.is.clear();
    await this.is.setLeaseClock(NOON);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  process(
    instanceId: string,
    { limits, ...parts }: Pick<ProcessParts, 'launcher' | 'clock' | 'policy'> & { limits?: 'inLife' } = {},
  ): RacingProcess {
    const sessions = new HeldSessions(this.database.source, limits);
    const tasks = new SqlTaskRepository(sessions);
    const ledger = new SqlDispatchLedger(sessions, { uuid: randomUUID });
    return new RacingProcess(sessions, tasks, { tasks, ledger, instanceId, ...parts });
  }

  async runs(): Promise<{ task_id: string; status: string; trigger: string; reason: string | null }[]> {
    const { rows } = await this.database.admin.query<Awaited<ReturnType<RaceTrack['runs']>>[number]>(
      'select task_id, status, trigger, reason from scheduled_task_runs order by task_id, created_at, trigger',
    );
    return rows;
  }
}
