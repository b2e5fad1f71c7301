// Changes a task; what the patch leaves out stays. A row that no longer makes a task is mended by a patch that carries a
// whole schedule.
import type { UserActor } from '../../kernel/actor';
import { CorruptTaskError, TaskChangedError, TaskNotFoundError } from '../domain/errors';
import type { SchedulePolicy } from '../domain/schedule-policy';
import { repairTask } from '../domain/stored-task';
import type { ScheduledTask, TaskPatch } from '../domain/task';
import type { PollerWake } from '../ports/poller-wake';
import type { TaskRepository } from '../ports/task-repository';
import { changeTask } from './change-task';
import type { CheckBinding } from './check-binding';

export class UpdateTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly binding: CheckBinding,
    private readonly wake: PollerWake,
    private readonly policy: SchedulePolicy,
  ) {}

  async run(actor: UserActor, taskId: string, patch: TaskPatch, now: Date): Promise<ScheduledTask> {
    const task = await this.write(actor, taskId, patch, now);
    this.wake.wake();
    return task;
  }

  private async write(actor: UserActor, taskId: string, patch: TaskPatch, now: Date): Promise<ScheduledTask> {
    try {
      return await changeTask(this.tasks, actor, taskId, async (before) => {
        const task = before.edit(patch, this.policy, now);
        await this.binding.run(actor, task, now, before);
        return task;
      });
    } catch (error) {
      if (!(error instanceof CorruptTaskError)) throw error;
      return this.repair(actor, taskId, patch, now);
    }
  }

  private async repair(actor: UserActor, taskId: string, patch: TaskPatch, now: Date): Promise<ScheduledTask> {
    const stored = await this.tasks.findStored(actor, taskId);
    if (stored === null) throw new TaskNotFoundError(taskId);
    const task = repairTask(stored, patch, this.policy, now);
    await this.binding.run(actor, task, now);
    if (!(await this.tasks.save(actor, task))) throw new TaskChangedError(taskId);
    return task;
  }
}
