// What every edit of a stored task has in common: read, decide, write, and once more when somebody wrote in between.
import type { Actor } from '../../kernel/actor';
import { TaskChangedError, TaskNotFoundError } from '../domain/errors';
import type { ScheduledTask } from '../domain/task';
import type { TaskRepository } from '../ports/task-repository';

const ATTEMPTS = 3;

/**
 * @throws TaskNotFoundError, TaskChangedError after three lost writes, CorruptTaskError, and whatever `decide` throws.
 */
export async function changeTask(
  tasks: TaskRepository,
  actor: Actor,
  taskId: string,
  decide: (task: ScheduledTask) => ScheduledTask | Promise<ScheduledTask>,
): Promise<ScheduledTask> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await tasks.findForEdit(actor, taskId);
    if (found === null) throw new TaskNotFoundError(taskId);
    const { task, openClaim } = found;
    const decided = await decide(task);
    // Nothing changed: an edit that says what is already so must not disturb a claim under way.
    if (decided === task) return task;
    if (await tasks.save(actor, decided, openClaim)) return decided;
  }
  throw new TaskChangedError(taskId);
}
