// Outbound adapter. Asks the schedule for a task: whoever may read its history knows that it is there.
import type { UserActor } from '../../kernel/actor';
import type { ReadRuns } from '../../schedule';
import type { TaskLookup } from '../ports/task-lookup';
import { seen } from './seen';

export class ScheduleTaskLookup implements TaskLookup {
  constructor(private readonly runs: Pick<ReadRuns, 'ofTask'>) {}

  exists(actor: UserActor, taskId: string): Promise<boolean> {
    return seen(() => this.runs.ofTask(actor, taskId, {}, { limit: 1, offset: 0 }));
  }
}
