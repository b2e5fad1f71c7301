// Use case. Brings this process's runs to an end before it stops: nothing new starts, who works may finish for a
// while, who is late is ended, and every end is stored.
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { RunQueue } from '../ports/run-queue';
import type { ExecuteRun } from './execute-run';

export class StopRuns {
  constructor(
    private readonly queue: RunQueue,
    private readonly execution: ExecuteRun,
    private readonly runs: AgentRunRepository,
  ) {}

  /** Nothing starts here any more: who waits for a place is told so at once (StartAbortedError). */
  close(): void {
    this.queue.close();
  }

  /**
   * `patience` resolves when those still at work have had time enough, `lastPatience` when there is no more time at all: a
   * database that is away then finds out later, from the agents' marks and the run's own row.
   */
  async run(patience: Promise<unknown>, lastPatience: Promise<unknown> = new Promise(() => undefined)): Promise<void> {
    this.close();
    const landed = this.execution.allLanded();
    const first = await Promise.race([landed.then(() => 'landed' as const), patience]);
    if (first !== 'landed') {
      await this.execution.cancelAll('Horarium was shut down.');
      await Promise.race([landed, lastPatience]);
    }
    await Promise.race([this.runs.drain(), lastPatience]);
  }
}
