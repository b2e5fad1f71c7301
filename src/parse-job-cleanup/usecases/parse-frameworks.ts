// Use case. Reads controls out of the documents that wait.
import { systemActor } from '../../kernel/actor';
import type { ThisInstance } from '../../kernel/this-instance';
import { csvControls } from '../domain/csv-controls';
import { UnreadableDocumentError } from '../domain/errors';
import { oscalControls } from '../domain/oscal-catalog';
import type { ParseJobPolicy } from '../domain/parse-job-policy';
import type { ClaimedParseJob, ParseJobRepository } from '../ports/parse-job-repository';

const ACTOR = systemActor('parse frameworks');
/** Controls of one step, after which the progress is to be seen. */
const STEP = 200;
/** A document whose parser has died so often is likely to be why. */
const MOST_ATTEMPTS = 3;

export class ParseFrameworks {
  private stopped = false;

  constructor(
    private readonly jobs: ParseJobRepository,
    private readonly policy: ParseJobPolicy,
    private readonly instance: ThisInstance,
  ) {}

  /** Parses what waits, one job after the other. Answers how many it parsed. */
  async run(now: Date): Promise<number> {
    for (let count = 0; ; count++) {
      if (this.stopped) return count;
      const claimed = await this.jobs.claim(ACTOR, this.instance.id, this.policy.leaseSeconds, now);
      if (claimed === null) return count;
      await this.parse(claimed, this.instance.id, now);
    }
  }

  /** The job in hand ends; no other is begun. */
  stop(): void {
    this.stopped = true;
  }

  private async parse({ job, document, attempts }: ClaimedParseJob, owner: string, now: Date): Promise<void> {
    if (attempts > MOST_ATTEMPTS) {
      const error = `It was begun ${MOST_ATTEMPTS} times and never came to an end. Is the document too large?`;
      await this.jobs.finish(ACTOR, job.id, owner, { status: 'failed', error }, now);
      return;
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(document);
      const controls = job.format === 'oscal' ? oscalControls(text) : csvControls(text);
      for (let from = 0; from < controls.length; from += STEP) {
        const step = { total: controls.length, from, controls: controls.slice(from, from + STEP) };
        if (!(await this.jobs.progress(ACTOR, job.id, owner, step, this.policy.leaseSeconds))) return;
      }
      await this.jobs.finish(ACTOR, job.id, owner, { status: 'awaiting_review', error: null }, now);
    } catch (error) {
      const reason = wordsFor(error);
      if (reason === undefined) throw error;
      await this.jobs.finish(ACTOR, job.id, owner, { status: 'failed', error: reason }, now);
    }
  }
}

/** Undefined: no fault of the document. */
function wordsFor(error: unknown): string | undefined {
  if (error instanceof UnreadableDocumentError) return error.message;
  return error instanceof TypeError ? 'The document is not valid UTF-8.' : undefined;
}
