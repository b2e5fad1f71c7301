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

  /** `patience` resolves when those still at work have had time enough. */
  async run(patience: Promise<unknown>): Promise<void> {
    this.close();
    const landed = this.execution.allLanded();
    const first = await Promise.race([landed.then(() => 'landed' as const), patience]);
    if (first !== 'landed') {
      await this.execution.cancelAll('Horarium was shut down.');
      await landed;
    }
    await this.runs.drain();
  }
}
