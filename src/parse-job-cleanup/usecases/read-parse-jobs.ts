// Use case. Shows parse jobs and what was read, and brings deleted ones back.
import type { UserActor } from '../../kernel/actor';
import { ParseJobNotFoundError } from '../domain/errors';
import type { Cursor, ParseJob, ParseJobStatus, StoredControl } from '../domain/parse-job';
import type { ParseJobRepository } from '../ports/parse-job-repository';

export class ReadParseJobs {
  constructor(private readonly jobs: ParseJobRepository) {}

  async one(actor: UserActor, jobId: string): Promise<ParseJob> {
    const found = await this.jobs.find(actor, jobId);
    if (found === null) throw new ParseJobNotFoundError(jobId);
    return found;
  }

  list(
    actor: UserActor,
    filter: { readonly status?: ParseJobStatus },
    page: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ParseJob[]> {
    return this.jobs.list(actor, filter, page);
  }

  async controls(actor: UserActor, jobId: string, from: number, limit: number): Promise<StoredControl[]> {
    await this.one(actor, jobId);
    return this.jobs.controls(actor, jobId, from, limit);
  }

  async restore(actor: UserActor, jobId: string): Promise<ParseJob> {
    const restored = await this.jobs.restore(actor, jobId);
    if (restored === null) throw new ParseJobNotFoundError(jobId);
    return restored;
  }
}
