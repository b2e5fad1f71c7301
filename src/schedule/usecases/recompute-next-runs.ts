// A new time-zone database means other instants: every stored next run is computed again, once, when the version that is
// running differs from the one noted. A due instant stays and runs.
import { systemActor } from '../../kernel/actor';
import type { ScheduledTask } from '../domain/task';
import type { BackgroundLog } from '../ports/background-log';
import type { RuntimeFacts } from '../ports/runtime-facts';
import type { TaskRepository } from '../ports/task-repository';

const FACT = 'time-zone-database';
const PAGE = 500;
const ACTOR = systemActor('recomputing next runs under a new time-zone database');

export class RecomputeNextRuns {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly facts: RuntimeFacts,
    private readonly log: BackgroundLog,
  ) {}

  /** Answers how many tasks got another instant; null when the version is the noted one. */
  async run(version: string, now: Date): Promise<number | null> {
    const noted = await this.facts.read(FACT);
    if (noted === version) return null;
    // The first start has nothing to compare with, and nothing stored.
    const moved = noted === null ? 0 : await this.recompute(now);
    if (noted !== null) {
      this.log.warn(`The time-zone database is ${version} now (was ${noted}): ${moved} next runs have moved.`);
    }
    await this.facts.note(FACT, version, now);
    return moved;
  }

  private async recompute(now: Date): Promise<number> {
    let moved = 0;
    for (let after = ''; ;) {
      const page: ScheduledTask[] = await this.tasks.recurring(ACTOR, after, PAGE);
      for (const task of page) {
        const recomputed = task.recompute(now);
        // A lost write was a claim or an edit, which computed the instant under the new database already.
        if (recomputed !== task && (await this.tasks.save(ACTOR, recomputed))) moved++;
      }
      const last = page.at(-1);
      // Not at a short page: rows that make no task are left out of one.
      if (last === undefined) return moved;
      after = last.id;
    }
  }
}
