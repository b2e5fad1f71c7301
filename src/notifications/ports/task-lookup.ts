// Port. Whether there is such a task, for this actor.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';

export interface TaskLookup {
  exists(actor: UserActor, taskId: string): Promise<boolean>;
}

export const TaskLookup = token<TaskLookup>('TaskLookup');
