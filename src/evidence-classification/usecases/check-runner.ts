// Use case. Is there somebody who can run the classifier?
import type { ClassifierRunner, RunnerHealth } from '../ports/classifier-runner';

export type { RunnerHealth };

export class CheckRunner {
  constructor(private readonly runner: ClassifierRunner) {}

  async run(): Promise<RunnerHealth & { readonly name: string }> {
    const health = await this.runner.check();
    return { ...health, name: this.runner.name };
  }
}
