// Inbound. `horarium cron next`: what an expression means, before it is submitted.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { CronPreviewResponse } from './cron-preview.response';

interface NextOptions extends JsonOption {
  timezone?: string;
  after?: string;
  count?: string;
}

@SubCommand({
  name: 'next',
  arguments: '<expression>',
  argsDescription: { expression: 'five fields in quotes, such as "30 2 * * *"' },
  description: 'the next runs of a cron expression, and what may surprise',
})
export class CronNextCommand extends ApiCommand {
  async run([cron = '']: string[], { json, timezone = this.home.name, after, count }: NextOptions): Promise<void> {
    await this.output.run(
      { json },
      async () => {
        const optional = { after, count: count === undefined ? undefined : countOf(count) };
        return this.api.post<CronPreviewResponse>('/api/cron/preview', { cron, timezone, ...optional });
      },
      forPeople,
    );
  }

  @Option({ flags: '--timezone <zone>', description: 'whose wall clock decides (yours)' })
  timezone(value: string): string {
    return value;
  }

  @Option({ flags: '--after <moment>', description: 'the runs after this moment (now)' })
  after(value: string): string {
    return value;
  }

  @Option({ flags: '--count <n>', description: 'how many, to 50 (5)' })
  count(value: string): string {
    return value;
  }
}

@Command({ name: 'cron', description: 'cron expressions', subCommands: [CronNextCommand] })
export class CronCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function countOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new UsageError('--count takes a whole number from 1 to 50.');
  return Number(text);
}

const CLOCK_CHANGES: Readonly<Record<string, string>> = {
  moved: 'the clock skips the listed time',
  repeated: 'the clock shows it twice; this is the first',
};

function forPeople({ description, runs, warnings }: CronPreviewResponse): string {
  const rows = runs.map(({ local, at, clock_change: change }) => [
    local.replace('T', ' '),
    at,
    change === undefined ? '' : (CLOCK_CHANGES[change] ?? change),
  ]);
  const table = rows.length === 0 ? 'never again' : columns(['on the wall clock', 'UTC', ''], rows);
  return [description, table, ...warnings.map((warning) => `warning: ${warning}`)].join('\n\n');
}
