// Use case. Shows classification runs, and cancels them.
import type { UserActor } from '../../kernel/actor';
import type { ClassificationRun, ClassifiedFile, Cursor } from '../domain/classification-run';
import { RunNotFoundError } from '../domain/errors';
import type { ClassificationSignals } from '../ports/classification-signals';
import type { RunRepository } from '../ports/run-repository';

export class ReadRuns {
  constructor(
    private readonly runs: RunRepository,
    private readonly signals: ClassificationSignals,
  ) {}

  async one(actor: UserActor, runId: string): Promise<{ run: ClassificationRun; files: ClassifiedFile[] }> {
    const run = await this.runs.find(actor, runId);
    if (run === null) throw new RunNotFoundError(runId);
    return { run, files: await this.runs.files(actor, runId) };
  }

  list(
    actor: UserActor,
    filter: { readonly projectId?: string },
    page: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ClassificationRun[]> {
    return this.runs.list(actor, filter, page);
  }

  /** One that is over stays as it is. */
  async cancel(actor: UserActor, runId: string, now: Date): Promise<ClassificationRun> {
    const run = await this.runs.requestCancel(actor, runId, now);
    if (run === null) throw new RunNotFoundError(runId);
    this.signals.queued();
    return run;
  }
}
