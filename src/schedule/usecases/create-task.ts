// Registers a task. In this order: the aggregate with all its rules, what it points at, the write. A refusal at any of
// them leaves nothing behind.
import type { UserActor } from '../../kernel/actor';
import { prefixedId, type Ids } from '../../kernel/ids';
import { isNews, type SchedulePolicy } from '../domain/schedule-policy';
import { ScheduledTask, TASK_ID_PREFIX, type CreateTaskFields } from '../domain/task';
import type { PollerWake } from '../ports/poller-wake';
import type { TaskRepository } from '../ports/task-repository';
import { DEFAULT_ASSISTANT, type CheckBinding } from './check-binding';

export type CreateTaskInput = Omit<CreateTaskFields, 'owner'>;

export class CreateTask {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly binding: CheckBinding,
    private readonly wake: PollerWake,
    private readonly policy: SchedulePolicy,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, input: CreateTaskInput, now: Date): Promise<ScheduledTask> {
    const owner = { tenantId: actor.tenantId, userId: actor.userId };
    const assistantId = input.assistantId ?? DEFAULT_ASSISTANT;
    const id = prefixedId(TASK_ID_PREFIX, this.ids);
    const task = ScheduledTask.create({ ...input, assistantId, owner }, this.policy, now, id);
    await this.binding.run(actor, task, now);
    await this.tasks.add(actor, task);
    if (isNews(task.nextRunAt, now)) this.wake.wake();
    return task;
  }
}
