// Outbound. What becomes of a task is told to the rest of the house: an event, written with the change itself.
import type { NewEvent } from '../../platform/outbox';
import type { ScheduledTask } from '../domain/task';

export type TaskChange = 'task.created' | 'task.updated' | 'task.deleted';

export function taskFact(type: TaskChange, task: ScheduledTask, occurredAt: Date): NewEvent {
  const { tenantId, userId } = task.owner;
  const payload = {
    task_id: task.id,
    task_title: task.title,
    user_id: userId,
    assistant_id: task.assistantId,
    schedule_type: task.scheduleType,
    status: task.status,
    next_run_at: task.nextRunAt,
  };
  return { tenantId, type, payload, occurredAt };
}
