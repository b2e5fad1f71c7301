// A new task with the rule of another, and what the caller wants different in it.
import type { UserActor } from '../../kernel/actor';
import { prefixedId, type Ids } from '../../kernel/ids';
import { TaskNotFoundError } from '../domain/errors';
import { isNews, type SchedulePolicy } from '../domain/schedule-policy';
import { TASK_ID_PREFIX, type ScheduledTask, type TaskPatch } from '../domain/task';
import type { PollerWake } from '../ports/poller-wake';
import type { TaskRepository } from '../ports/task-repository';
import type { CheckBinding } from './check-binding';

export class DuplicateTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly binding: CheckBinding,
    private readonly wake: PollerWake,
    private readonly policy: SchedulePolicy,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, taskId: string, changes: TaskPatch, now: Date): Promise<ScheduledTask> {
    const task = await this.tasks.find(actor, taskId);
    if (task === null) throw new TaskNotFoundError(taskId);
    const copy = task.duplicate(changes, this.policy, now, prefixedId(TASK_ID_PREFIX, this.ids));
    await this.binding.run(actor, copy, now);
    await this.tasks.add(actor, copy);
    if (isNews(copy.nextRunAt, now)) this.wake.wake();
    return copy;
  }
}
