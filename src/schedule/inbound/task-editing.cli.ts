// Inbound. `horarium task add|edit|duplicate`.
import { Option, SubCommand } from 'nest-commander';
import { UsageError } from '../../platform/cli/api-errors';
import { CliInput } from '../../platform/cli/cli-input';
import { taskPath, taskSheet } from './task-sheet';
import { scheduleOf, taskFields, type TaskOptions, TaskOptionsCommand } from './task-options.cli';
import type { TaskResponse } from './task.response';

const TASKS = '/api/scheduled-tasks';
const LONGEST_TITLE = 255;

@SubCommand({
  name: 'add',
  arguments: '<prompt>',
  argsDescription: { prompt: 'what to do; - reads it from standard input' },
  description: 'register a task: --cron, --in or --at says when',
})
export class TaskAddCommand extends TaskOptionsCommand {
  async run([prompt = '']: string[], options: TaskOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const schedule = scheduleOf(options);
        if (schedule === undefined)
          throw new UsageError('When? Give --cron, --in or --at.', 'horarium task add --help');
        const text = await promptOf(prompt);
        const defaults = { title: titleOf(text), prompt: text, timezone: this.home.name };
        return this.api.post<TaskResponse>(TASKS, { ...defaults, ...taskFields(options) });
      },
      (task) => taskSheet(task),
    );
  }
}

interface EditOptions extends TaskOptions {
  prompt?: string;
  freshThread?: boolean;
}

abstract class ChangeCommand extends TaskOptionsCommand {
  @Option({ flags: '--prompt <text>', description: 'what to do; - reads it from standard input' })
  prompt(value: string): string {
    return value;
  }

  @Option({ flags: '--fresh-thread', description: 'a conversation of its own for each run' })
  freshThread(): boolean {
    return true;
  }
}

@SubCommand({ name: 'edit', arguments: '<id>', description: 'change what is given, leave the rest' })
export class TaskEditCommand extends ChangeCommand {
  async run([id = '']: string[], options: EditOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const changes = await changesOf(options);
        if (Object.keys(changes).length === 0) throw new UsageError('Nothing to change.', 'horarium task edit --help');
        return this.api.patch<TaskResponse>(taskPath(id), changes);
      },
      (task) => taskSheet(task),
    );
  }
}

@SubCommand({ name: 'duplicate', arguments: '<id>', description: 'the same again, with what is given changed' })
export class TaskDuplicateCommand extends ChangeCommand {
  async run([id = '']: string[], options: EditOptions): Promise<void> {
    await this.output.run(
      options,
      async () => this.api.post<TaskResponse>(taskPath(id, 'duplicate'), await changesOf(options)),
      (task) => taskSheet(task),
    );
  }
}

async function changesOf(options: EditOptions): Promise<Record<string, unknown>> {
  if (options.freshThread === true && options.thread !== undefined) {
    throw new UsageError('--thread and --fresh-thread exclude each other.');
  }
  return {
    ...taskFields(options),
    ...(options.prompt === undefined ? {} : { prompt: await promptOf(options.prompt) }),
    ...(options.freshThread === true ? { context_mode: 'fresh_thread_per_run' } : {}),
  };
}

/** A text that ends with a line break was piped by a program that ends all its lines so. */
async function promptOf(word: string): Promise<string> {
  return word === '-' ? (await new CliInput().all()).replace(/\r?\n$/, '') : word;
}

/** The first line that says something. */
function titleOf(prompt: string): string {
  const [line = ''] = prompt.split(/\r?\n/).filter((candidate) => candidate.trim() !== '');
  const characters = [...line.trim()];
  return characters.length <= LONGEST_TITLE
    ? characters.join('')
    : `${characters.slice(0, LONGEST_TITLE - 1).join('')}…`;
}
