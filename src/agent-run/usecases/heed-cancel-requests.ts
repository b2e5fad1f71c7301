// Use case. Ends the runs of this process that were cancelled through another one, which could only write the wish into
// the run's row (cancel-run.ts).
import type { ThisInstance } from '../../kernel/this-instance';
import { AgentRunEndedError } from '../domain/errors';
import type { AgentRun } from '../domain/agent-run';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { FaultLog } from '../ports/fault-log';
import type { CancelRun } from './cancel-run';

export class HeedCancelRequests {
  constructor(
    private readonly runs: AgentRunRepository,
    private readonly cancel: CancelRun,
    private readonly faults: FaultLog,
    private readonly instance: ThisInstance,
    /** Whether this process has a run at all, at work or in line. */
    private readonly inHand: () => boolean = () => true,
  ) {}

  /** Tells an agent that takes its time again: asking twice changes nothing, and the first may not have reached it. */
  async run(now: Date): Promise<void> {
    if (!this.inHand()) return;
    const wished = await this.runs.cancelRequested(this.instance.id);
    await Promise.all(wished.map((run) => this.heed(run, now)));
  }

  /** In the name of the run's owner: nobody else could have left a wish. */
  private async heed({ id, fields: { owner } }: AgentRun, now: Date): Promise<void> {
    try {
      await this.cancel.run({ type: 'user', ...owner, roles: [] }, id, now);
    } catch (error) {
      if (error instanceof AgentRunEndedError) return;
      this.faults.report(`agent run ${id} could not be cancelled`, error);
    }
  }
}
