// Every stored task of every tenant that cannot be read. Looks at all of them, so it takes seconds where there are a
// million; people never wait for it, operators and `horarium doctor` do.
import { systemActor } from '../../kernel/actor';
import type { UnreadableTask } from '../domain/unreadable-task';
import type { TaskRepository } from '../ports/task-repository';

const ACTOR = systemActor('operator: looking for tasks that cannot be read');

export class FindUnreadableTasks {
  constructor(private readonly tasks: TaskRepository) {}

  run(limit: number): Promise<UnreadableTask[]> {
    return this.tasks.unreadable(ACTOR, limit);
  }
}
