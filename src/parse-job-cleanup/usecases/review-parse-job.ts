// Use case. A person says whether what was read is right.
import type { UserActor } from '../../kernel/actor';
import { ParseJobNotFoundError, ParseJobNotReviewableError } from '../domain/errors';
import type { ParseJob } from '../domain/parse-job';
import type { ParseJobRepository } from '../ports/parse-job-repository';

export class ReviewParseJob {
  constructor(private readonly jobs: ParseJobRepository) {}

  async run(actor: UserActor, jobId: string, status: 'approved' | 'rejected', now: Date): Promise<ParseJob> {
    const reviewed = await this.jobs.review(actor, jobId, { status, by: actor.userId }, now);
    if (reviewed !== null) return reviewed;
    const known = await this.jobs.find(actor, jobId);
    if (known === null) throw new ParseJobNotFoundError(jobId);
    throw new ParseJobNotReviewableError(jobId, known.status);
  }
}
