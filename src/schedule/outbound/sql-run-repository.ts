// Outbound adapter. The history of runs, for reading: table scheduled_task_runs. Who writes it: sql-dispatch-ledger.ts.
import type { Actor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { ScheduledRun } from '../domain/run';
import type { PageRequest, RunFilter } from '../domain/listing';
import type { RunRepository } from '../ports/run-repository';
import { RUN_COLUMNS, toRun, type RunRow } from './run.row';

const FIND = `
  select ${RUN_COLUMNS} from scheduled_task_runs r
   where r.id = $1 and ($2::integer is null or (r.tenant_id = $2 and r.user_id = $3))`;

// Two statements, not one with an optional task: each is served in order by an index of its own.
const LIST_OF_TASK = `
  select ${RUN_COLUMNS}
    from scheduled_task_runs r
   where r.task_id = $1 and r.tenant_id = $2 and r.user_id = $3
     and ($4::text is null or r.status = $4)
     and ($5::text is null or r.trigger = $5)
     and ($6::timestamptz is null or r.scheduled_for >= $6)
     and ($7::timestamptz is null or r.scheduled_for < $7)
     and ($8::timestamptz is null or (r.created_at, r.id) < ($8, $9))
   order by r.created_at desc, r.id desc
   limit $10 offset $11`;

const LIST_OF_USER = `
  select ${RUN_COLUMNS}
    from scheduled_task_runs r
   where r.tenant_id = $1 and r.user_id = $2
     and ($3::text is null or r.status = $3)
     and ($4::text is null or r.trigger = $4)
     and ($5::timestamptz is null or r.scheduled_for >= $5)
     and ($6::timestamptz is null or r.scheduled_for < $6)
     and ($7::timestamptz is null or (r.created_at, r.id) < ($7, $8))
   order by r.created_at desc, r.id desc
   limit $9 offset $10`;

export class SqlRunRepository implements RunRepository {
  constructor(private readonly sessions: Sessions) {}

  async find(actor: Actor, runId: string): Promise<ScheduledRun | null> {
    const owner = actor.type === 'user' ? [actor.tenantId, actor.userId] : [null, null];
    const [row] = await this.sessions.run(actor, (tx) => tx.query<RunRow>(FIND, [runId, ...owner]));
    return row === undefined ? null : toRun(row);
  }

  async list(actor: Actor, filter: RunFilter, page: PageRequest): Promise<ScheduledRun[]> {
    if (actor.type !== 'user') throw new Error("a history is a person's own history");
    const values = [
      actor.tenantId,
      actor.userId,
      filter.status,
      filter.trigger,
      filter.since,
      filter.until,
      page.after?.createdAt,
      page.after?.id,
      page.limit,
      page.after === undefined ? page.offset : 0,
    ];
    const { taskId } = filter;
    const rows = await this.sessions.run(actor, (tx) =>
      taskId === undefined
        ? tx.query<RunRow>(LIST_OF_USER, values)
        : tx.query<RunRow>(LIST_OF_TASK, [taskId, ...values]),
    );
    return rows.map(toRun);
  }
}
