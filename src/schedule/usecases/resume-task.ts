// Lets a task fire again, from now on.
import type { UserActor } from '../../kernel/actor';
import type { ScheduledTask } from '../domain/task';
import type { PollerWake } from '../ports/poller-wake';
import type { TaskRepository } from '../ports/task-repository';
import { changeTask } from './change-task';

export class ResumeTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly wake: PollerWake,
  ) {}

  async run(actor: UserActor, taskId: string, now: Date): Promise<ScheduledTask> {
    const task = await changeTask(this.tasks, actor, taskId, (before) => before.resume(now));
    this.wake.wake();
    return task;
  }
}
