// Inbound. `horarium task import`: takes over the file of another scheduler.
import { readFile } from 'node:fs/promises';
import { Option, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { CliInput } from '../../platform/cli/cli-input';
import { localTime } from '../../platform/cli/for-people';
import type { JsonOption } from '../../platform/protocol/cli-output';
import type { ImportedEntryResponse, ImportTasksResponse } from './import-tasks.response';

interface ImportOptions extends JsonOption {
  timezone?: string;
  assistant?: string;
  thread?: string;
}

@SubCommand({
  name: 'import',
  arguments: '<file>',
  argsDescription: { file: 'a .scheduled_tasks.json; - reads it from standard input' },
  description: 'take over the tasks of another scheduler’s file',
})
export class TaskImportCommand extends ApiCommand {
  async run([file = '']: string[], options: ImportOptions): Promise<void> {
    await this.output.run(
      options,
      async () =>
        this.api.post<ImportTasksResponse>('/api/scheduled-tasks/import', {
          file: await contentOf(file),
          timezone: options.timezone ?? this.home.name,
          ...(options.assistant === undefined ? {} : { assistant_id: options.assistant }),
          ...(options.thread === undefined ? {} : { thread_id: options.thread }),
        }),
      ({ imported, left_out: leftOut, entries }) =>
        [`${imported} imported, ${leftOut} left out`, ...entries.map(line)].join('\n'),
    );
  }

  @Option({ flags: '--timezone <zone>', description: 'whose wall clock the file was written for' })
  timezone(value: string): string {
    return value;
  }

  @Option({ flags: '--assistant <id>', description: 'who does it (horarium assistant list)' })
  assistant(value: string): string {
    return value;
  }

  @Option({ flags: '--thread <id>', description: 'the conversation that the prompts go into' })
  thread(value: string): string {
    return value;
  }
}

async function contentOf(file: string): Promise<unknown> {
  const text = file === '-' ? await new CliInput().all() : await read(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function line({
  index,
  id,
  cron,
  task_id: taskId,
  timezone,
  next_run_at: next,
  error,
  notes,
}: ImportedEntryResponse): string {
  const name = `${id ?? `entry ${index}`} (${cron ?? 'no cron'})`;
  const fate =
    taskId === null || timezone === null
      ? `left out: ${error}`
      : `${taskId}, next run ${localTime(next, timezone)} (${timezone})`;
  return [`${name}: ${fate}`, ...notes.map((note) => `  ${note}`)].join('\n');
}
