// Inbound. `horarium task …`: tasks on the command line. A client of the server, as everybody else is: a trigger needs the
// process that launches. Adding and changing are in task-editing.cli.ts.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { inOneLine, localTime } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { DeletedResponse, TriggeredResponse } from './run.response';
import { TaskImportCommand } from './import-tasks.cli';
import { TaskRunsCommand } from './runs.cli';
import { TaskAddCommand, TaskDuplicateCommand, TaskEditCommand } from './task-editing.cli';
import { scheduleInWords, taskPath, taskSheet } from './task-sheet';
import type { TaskDetailResponse, TaskResponse } from './task.response';

interface TaskListOptions extends ListOptions {
  status?: string;
  type?: string;
  assistant?: string;
  search?: string;
}

@SubCommand({ name: 'list', description: 'your tasks, newest first' })
export class TaskListCommand extends ListCommand {
  async run(_: string[], options: TaskListOptions): Promise<void> {
    const { status, type, assistant, search } = options;
    const query = { status, schedule_type: type, assistant_id: assistant, q: search };
    await this.output.run(
      options,
      async () => this.api.list<TaskResponse>('/api/scheduled-tasks', query, howMany(options)),
      (listing) => asFarAsAsked(listing, table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--status <status>', description: 'enabled, paused, running, completed, failed or cancelled' })
  status(value: string): string {
    return value;
  }

  @Option({ flags: '--type <type>', description: 'cron or once' })
  type(value: string): string {
    return value;
  }

  @Option({ flags: '--assistant <id>', description: 'of this assistant' })
  assistant(value: string): string {
    return value;
  }

  @Option({ flags: '--search <text>', description: 'found in title or prompt' })
  search(value: string): string {
    return value;
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'one task, with its next runs' })
export class TaskShowCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<TaskDetailResponse>(taskPath(id)), taskSheet);
  }
}

@SubCommand({ name: 'pause', arguments: '<id>', description: 'no runs until it is resumed' })
export class TaskPauseCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<TaskResponse>(taskPath(id, 'pause')),
      (task) => `${task.id} is ${task.status}`,
    );
  }
}

@SubCommand({ name: 'resume', arguments: '<id>', description: 'go on, counted from now' })
export class TaskResumeCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<TaskResponse>(taskPath(id, 'resume')),
      (task) =>
        `${task.id} is ${task.status}; next run ${localTime(task.next_run_at, task.timezone)} (${task.timezone})`,
    );
  }
}

@SubCommand({ name: 'trigger', arguments: '<id>', description: 'run it now' })
export class TaskTriggerCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<TriggeredResponse>(taskPath(id, 'trigger')),
      ({ task_run_id: run }) => `started ${run}\nhorarium run show ${run}`,
    );
  }
}

@SubCommand({
  name: 'delete',
  arguments: '<id>',
  description: 'gone from the lists; a run under way goes on to its end',
})
export class TaskDeleteCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.delete<DeletedResponse>(taskPath(id)),
      (deleted) => `deleted ${deleted.id}`,
    );
  }
}

export const TASK_COMMANDS = [
  TaskAddCommand,
  TaskListCommand,
  TaskShowCommand,
  TaskEditCommand,
  TaskPauseCommand,
  TaskResumeCommand,
  TaskTriggerCommand,
  TaskRunsCommand,
  TaskDuplicateCommand,
  TaskDeleteCommand,
  TaskImportCommand,
];

@Command({ name: 'task', description: 'tasks: what is to be done, and when', subCommands: TASK_COMMANDS })
export class TaskCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function table(tasks: readonly TaskResponse[]): string {
  if (tasks.length === 0) return 'no tasks';
  return columns(
    ['id', 'title', 'status', 'schedule', 'zone', 'next run', 'last run'],
    tasks.map((task) => [
      task.id,
      inOneLine(task.title, 40),
      task.status,
      task.schedule_type === 'cron' ? scheduleInWords(task) : 'once',
      task.timezone,
      localTime(task.next_run_at, task.timezone),
      localTime(task.last_run_at, task.timezone),
    ]),
  );
}
