// Takes a task away at once, in every state, also one that cannot be read any more. Its history stays until retention.
import type { UserActor } from '../../kernel/actor';
import { CorruptTaskError, TaskNotFoundError } from '../domain/errors';
import type { TaskRepository } from '../ports/task-repository';
import { changeTask } from './change-task';

export class DeleteTask {
  constructor(private readonly tasks: TaskRepository) {}

  async run(actor: UserActor, taskId: string, now: Date): Promise<void> {
    try {
      await changeTask(this.tasks, actor, taskId, (task) => task.delete(now));
    } catch (error) {
      if (!(error instanceof CorruptTaskError)) throw error;
      if (!(await this.tasks.discard(actor, taskId, now))) throw new TaskNotFoundError(taskId);
    }
  }
}
