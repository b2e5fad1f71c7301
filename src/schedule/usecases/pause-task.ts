// Stops a task from firing until it is resumed. A run under way goes on.
import type { UserActor } from '../../kernel/actor';
import type { ScheduledTask } from '../domain/task';
import type { TaskRepository } from '../ports/task-repository';
import { changeTask } from './change-task';

export class PauseTask {
  constructor(private readonly tasks: TaskRepository) {}

  run(actor: UserActor, taskId: string, now: Date): Promise<ScheduledTask> {
    return changeTask(this.tasks, actor, taskId, (task) => task.pause(now));
  }
}
