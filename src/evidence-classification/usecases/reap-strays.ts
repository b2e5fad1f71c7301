// Use case. Removes what runs or lies about here and belongs to no active run: left behind by a crash between two steps.
import type { SystemActor } from '../../kernel/actor';
import type { ClassificationSignals } from '../ports/classification-signals';
import type { ClassifierRunner } from '../ports/classifier-runner';
import type { RunFolders } from '../ports/run-folders';
import type { RunRepository } from '../ports/run-repository';

const REAP_EVERY_MS = 60_000;
/** Younger ones may belong to a row that is being written. */
const REAP_AFTER_MS = 120_000;

export class ReapStrays {
  private reapedAt = 0;

  constructor(
    private readonly runs: RunRepository,
    private readonly runner: ClassifierRunner,
    private readonly folders: RunFolders,
    private readonly signals: ClassificationSignals,
  ) {}

  /** At most once a minute. Answers how many runs it removed the rest of. Never fails: it tries again. */
  async run(actor: SystemActor, now: Date): Promise<number> {
    if (now.getTime() - this.reapedAt < REAP_EVERY_MS) return 0;
    this.reapedAt = now.getTime();
    try {
      return await this.reap(actor, now);
    } catch (error) {
      this.signals.trouble('What old classification runs left behind could not be looked for', error);
      return 0;
    }
  }

  private async reap(actor: SystemActor, now: Date): Promise<number> {
    // Of an engine that does not answer nothing is known; a folder may be in use there.
    if (!(await this.runner.check()).ok) return 0;
    const traces = [...(await this.runner.traces()), ...(await this.folders.traces())];
    const old = traces.filter(({ startedAt }) => now.getTime() - startedAt.getTime() > REAP_AFTER_MS);
    const ids = [...new Set(old.map(({ runId }) => runId))];
    const active = new Set(ids.length === 0 ? [] : await this.runs.active(actor, ids));
    let removed = 0;
    for (const id of ids.filter((one) => !active.has(one))) if (await this.remove(id)) removed += 1;
    return removed;
  }

  private async remove(id: string): Promise<boolean> {
    try {
      await this.runner.stop(id);
      await this.runner.remove(id);
      await this.folders.remove(id);
      return true;
    } catch (error) {
      // The others have nothing to do with it.
      this.signals.trouble(`What classification run ${id} left behind is not removed yet`, error);
      return false;
    }
  }
}
