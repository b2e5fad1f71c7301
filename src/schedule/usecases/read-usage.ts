// What a task has used up so far, all its runs together.
import type { UserActor } from '../../kernel/actor';
import type { RunTotals, TaskTotals, UsageTotals } from '../ports/task-totals';
import type { ReadTasks } from './read-tasks';

export type TaskUsage = RunTotals & UsageTotals;

export class ReadUsage {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly totals: TaskTotals,
  ) {}

  /** @throws TaskNotFoundError */
  async ofTask(actor: UserActor, taskId: string): Promise<TaskUsage> {
    await this.tasks.one(actor, taskId);
    const [runs, usage] = await Promise.all([this.totals.runs(actor, taskId), this.totals.usage(actor, taskId)]);
    return { ...runs, ...usage };
  }
}
