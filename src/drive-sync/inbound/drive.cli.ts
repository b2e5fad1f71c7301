// Inbound. `horarium drive`: the connection and its queue, by way of the server.
import { Injectable } from '@nestjs/common';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { inOneLine, localTime, sheet } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { ConnectionResponse, RebuildResponse } from './connection.response';
import type { JobCountsResponse, JobResponse } from './job.response';

const ROOT = '/api/1.0/integrations/google-drive';
const JOBS = `${ROOT}/jobs`;

@SubCommand({ name: 'status', description: 'is it connected, how far is it, what went wrong last' })
export class DriveStatusCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<ConnectionResponse>(`${ROOT}/tenant`),
      (status) => this.inWords(status),
    );
  }

  private inWords(status: ConnectionResponse): string {
    const time = (moment: string | null): string => localTime(moment, this.home.name);
    return sheet([
      ['status', status.status],
      ['account', status.account ?? '-'],
      ['root folder', status.root_folder_id ?? '-'],
      ['channel', `${status.channel.state}, until ${time(status.channel.expires_at)}`],
      ['jobs', countsInWords(status.jobs)],
      ['last sync', time(status.last_sync_at)],
      ['last error', inOneLine(status.last_error ?? status.channel.error ?? '-', 200)],
    ]);
  }
}

interface RebuildOptions extends JsonOption {
  progress?: boolean;
}

@SubCommand({ name: 'rebuild-all', description: 'compare everything of every tenant with Drive' })
export class DriveRebuildCommand extends ApiCommand {
  @Option({ flags: '--progress', description: 'how far the last one is; begins none' })
  progress(): boolean {
    return true;
  }

  async run(_: string[], options: RebuildOptions): Promise<void> {
    const path = `${ROOT}/tenant/rebuild-all`;
    const begin = options.progress !== true;
    await this.output.run(
      options,
      () => (begin ? this.api.post<RebuildResponse>(path) : this.api.get<RebuildResponse>(path)),
      ({ tenants, remaining }) => {
        const queued = tenants.reduce((sum, one) => sum + one.queued, 0);
        return `${tenants.length} tenants; ${begin ? `${queued} jobs queued, ${remaining} remain` : `${remaining} jobs remain`}`;
      },
    );
  }
}

interface JobsOptions extends ListOptions {
  status?: string;
  type?: string;
}

@SubCommand({ name: 'jobs', description: 'the queue, newest first' })
export class DriveJobsCommand extends ListCommand {
  @Option({ flags: '--status <status>', description: 'PENDING, IN_PROGRESS, SUCCESS, FAILED or SKIPPED' })
  status(value: string): string {
    return value;
  }

  @Option({ flags: '--type <type>', description: 'of this type only: IMPORT_DRIVE_FILE' })
  type(value: string): string {
    return value;
  }

  async run(_: string[], options: JobsOptions): Promise<void> {
    const query = { status: options.status, job_type: options.type };
    await this.output.run(
      options,
      async () => this.api.list<JobResponse>(JOBS, query, howMany(options)),
      (listing) => asFarAsAsked(listing, this.table(listing.items)),
      ({ items }) => items,
    );
  }

  private table(jobs: readonly JobResponse[]): string {
    if (jobs.length === 0) return 'no jobs';
    return columns(
      ['created', 'status', 'type', 'tries', 'job', 'why'],
      jobs.map((job) => [
        localTime(job.created_at, this.home.name),
        job.status,
        job.job_type,
        `${job.retry_count}/${job.max_retries}`,
        job.uid,
        inOneLine(job.last_error ?? '-', 80),
      ]),
    );
  }
}

@SubCommand({ name: 'counts', description: 'how many jobs there are of each status' })
export class DriveCountsCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<JobCountsResponse>(`${JOBS}/counts`), countsInWords);
  }
}

@Injectable()
abstract class OneJobCommand extends ApiCommand {
  protected path(uid: string, verb = ''): string {
    return `${JOBS}/${encodeURIComponent(uid)}${verb}`;
  }

  protected inWords(job: JobResponse): string {
    const time = (moment: string | null): string => localTime(moment, this.home.name);
    return sheet([
      ['job', job.uid],
      ['type', job.job_type],
      ['payload', inOneLine(JSON.stringify(job.payload), 200)],
      ['status', job.status],
      ['tries', `${job.retry_count} of ${job.max_retries}`],
      ['not before', time(job.next_run_at)],
      ['started', time(job.started_at)],
      ['finished', time(job.finished_at)],
      ['last error', inOneLine(job.last_error ?? '-', 300)],
    ]);
  }
}

@SubCommand({ name: 'job', arguments: '<uid>', description: 'one job' })
export class DriveJobCommand extends OneJobCommand {
  async run([uid = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<JobResponse>(this.path(uid)),
      (job) => this.inWords(job),
    );
  }
}

@SubCommand({ name: 'retry', arguments: '<uid>', description: 'try again what failed' })
export class DriveRetryCommand extends OneJobCommand {
  async run([uid = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<JobResponse>(this.path(uid, '/retry')),
      (job) => this.inWords(job),
    );
  }
}

@SubCommand({ name: 'cancel', arguments: '<uid>', description: 'cancel a job' })
export class DriveCancelCommand extends OneJobCommand {
  async run([uid = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<JobResponse>(this.path(uid, '/cancel')),
      (job) => this.inWords(job),
    );
  }
}

export const DRIVE_COMMANDS = [
  DriveStatusCommand,
  DriveRebuildCommand,
  DriveJobsCommand,
  DriveCountsCommand,
  DriveJobCommand,
  DriveRetryCommand,
  DriveCancelCommand,
];

@Command({ name: 'drive', description: 'Google Drive: connection and queue', subCommands: DRIVE_COMMANDS })
export class DriveCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function countsInWords(counts: JobCountsResponse): string {
  const { pending, in_progress: working, success, failed, skipped } = counts;
  return `${pending} pending, ${working} in progress, ${success} success, ${failed} failed, ${skipped} skipped`;
}
