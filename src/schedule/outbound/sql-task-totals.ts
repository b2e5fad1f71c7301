// Outbound adapter, fills TaskTotals: times from the task's own runs, the use from the front door of agent-run, which finds
// the runs by what they were launched with.
import type { UserActor } from '../../kernel/actor';
import type { FindRuns } from '../../agent-run';
import type { Sessions } from '../../platform/persistence/sessions';
import type { RunTotals, TaskTotals, UsageTotals } from '../ports/task-totals';

const RUNS = `
  select count(started_at)::integer as runs,
         coalesce(sum(extract(epoch from finished_at - started_at)), 0)::double precision as seconds
    from scheduled_task_runs
   where task_id = $1 and tenant_id = $2 and user_id = $3`;

export class SqlTaskTotals implements TaskTotals {
  constructor(
    private readonly sessions: Sessions,
    private readonly findRuns: FindRuns,
  ) {}

  async runs(actor: UserActor, taskId: string): Promise<RunTotals> {
    const params = [taskId, actor.tenantId, actor.userId];
    const [totals] = await this.sessions.run(actor, (tx) => tx.query<RunTotals>(RUNS, params));
    return totals ?? { runs: 0, seconds: 0 };
  }

  usage(actor: UserActor, taskId: string): Promise<UsageTotals> {
    return this.findRuns.usageOf(actor, { scheduled_task_id: taskId });
  }
}
