// Use case. Is there somebody who can run the classifier, and does a run wait for it?
import { systemActor } from '../../kernel/actor';
import type { ClassifierRunner, RunnerHealth } from '../ports/classifier-runner';
import type { RunFolders } from '../ports/run-folders';
import type { RunRepository } from '../ports/run-repository';

export type { RunnerHealth };

const ACTOR = systemActor('evidence classification');

export class CheckRunner {
  constructor(
    private readonly runner: ClassifierRunner,
    private readonly runs: RunRepository,
    private readonly folders: RunFolders,
  ) {}

  async run(): Promise<RunnerHealth & { readonly name: string; readonly waiting: boolean }> {
    const health = await this.runner.check();
    const waiting = !health.ok && (await this.runs.nextToTake(ACTOR, await this.folders.place())) !== null;
    return { ...health, name: await this.runner.nameFor(), waiting };
  }
}
