// What happened: the history of one task, or of all of a person's tasks.
import type { UserActor } from '../../kernel/actor';
import { RunNotFoundError, TaskNotFoundError } from '../domain/errors';
import type { PageRequest, RunFilter } from '../domain/listing';
import type { ScheduledRun } from '../domain/run';
import type { RunRepository } from '../ports/run-repository';
import type { TaskRepository } from '../ports/task-repository';

export class ReadRuns {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
  ) {}

  /** @throws TaskNotFoundError for somebody else's task, too. A task that cannot be read still has its history. */
  async ofTask(actor: UserActor, taskId: string, filter: RunFilter, page: PageRequest): Promise<ScheduledRun[]> {
    if ((await this.tasks.findStored(actor, taskId)) === null) throw new TaskNotFoundError(taskId);
    return this.runs.list(actor, { ...filter, taskId }, page);
  }

  /** Over all tasks, deleted ones too: they belong to "what happened last night". */
  list(actor: UserActor, filter: RunFilter, page: PageRequest): Promise<ScheduledRun[]> {
    return this.runs.list(actor, filter, page);
  }

  async one(actor: UserActor, runId: string): Promise<ScheduledRun> {
    const run = await this.runs.find(actor, runId);
    if (run === null) throw new RunNotFoundError(runId);
    return run;
  }
}
