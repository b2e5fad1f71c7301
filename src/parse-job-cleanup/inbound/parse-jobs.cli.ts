// Inbound. `horarium parse-jobs cleanup`: what happens nightly, now.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { parseDuration } from '../../platform/cli/duration';
import type { JsonOption } from '../../platform/protocol/cli-output';
import type { SweepResponse } from './parse-job.response';

interface CleanupOptions extends JsonOption {
  dryRun?: boolean;
  olderThan?: string;
}

@SubCommand({ name: 'cleanup', description: 'delete old parse jobs softly, over all tenants' })
export class ParseJobsCleanupCommand extends ApiCommand {
  async run(_: string[], { json, dryRun = false, olderThan }: CleanupOptions): Promise<void> {
    await this.output.run(
      { json },
      async () => {
        const seconds = olderThan === undefined ? undefined : parseDuration('--older-than', olderThan);
        const order = { dry_run: dryRun, ...(seconds === undefined ? {} : { older_than_seconds: seconds }) };
        return this.api.post<SweepResponse>('/api/1.0/framework-parse-jobs/cleanup', order);
      },
      ({ dry_run, deleted, purged }) =>
        dry_run
          ? `${deleted} parse jobs would be deleted`
          : `${deleted} parse jobs deleted, ${purged} removed for good`,
    );
  }

  @Option({ flags: '--dry-run', description: 'only count' })
  dryRun(): boolean {
    return true;
  }

  @Option({ flags: '--older-than <time>', description: 'such as 7d (PARSE_JOB_TTL_DAYS)' })
  olderThan(value: string): string {
    return value;
  }
}

@Command({
  name: 'parse-jobs',
  description: 'frameworks that people brought',
  subCommands: [ParseJobsCleanupCommand],
})
export class ParseJobsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
