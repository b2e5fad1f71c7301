// A person's tasks, one or many.
import type { UserActor } from '../../kernel/actor';
import { TaskNotFoundError, ThreadNotFoundError } from '../domain/errors';
import type { PageRequest, TaskFilter } from '../domain/listing';
import type { ScheduledTask } from '../domain/task';
import type { TaskRepository } from '../ports/task-repository';
import type { ThreadLookup } from '../ports/thread-lookup';

export class ReadTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly threads: ThreadLookup,
  ) {}

  /** @throws TaskNotFoundError; CorruptTaskError when the stored row does not make a task. */
  async one(actor: UserActor, taskId: string): Promise<ScheduledTask> {
    const task = await this.tasks.find(actor, taskId);
    if (task === null) throw new TaskNotFoundError(taskId);
    return task;
  }

  list(actor: UserActor, filter: TaskFilter, page: PageRequest): Promise<ScheduledTask[]> {
    return this.tasks.list(actor, filter, page);
  }

  /** The tasks bound to a thread. @throws ThreadNotFoundError for somebody else's, too. */
  async ofThread(actor: UserActor, threadId: string, page: PageRequest): Promise<ScheduledTask[]> {
    if (!(await this.threads.exists(actor, threadId))) throw new ThreadNotFoundError(threadId);
    return this.tasks.list(actor, { threadId }, page);
  }
}
