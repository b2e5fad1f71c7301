// The agent run behind a run has ended. Called once or several times, before or after the launch was written down.
import { outcomeOf } from '../domain/outcome';
import type { DispatchLedger } from '../ports/dispatch-ledger';
import type { PollerWake } from '../ports/poller-wake';
import type { LaunchedRun } from '../ports/run-launcher';

export class RecordOutcome {
  constructor(
    private readonly ledger: DispatchLedger,
    private readonly wake: PollerWake,
  ) {}

  /** A run that is nobody's task has ended: somebody may have waited for its conversation. */
  threadIdle(): void {
    this.wake.wakeWaiting();
  }

  /** Ignored: a state that is no end, and a run that is unknown here. */
  async run(ended: LaunchedRun, now: Date): Promise<void> {
    const outcome = outcomeOf(ended.status, ended.error, ended.presumed);
    if (outcome === null) return;
    const { agentRunId, startedAt, finishedAt } = ended;
    const { backlog, waiting } = await this.ledger.record(ended.runId, {
      type: 'ended',
      outcome,
      at: finishedAt ?? now,
      launch: startedAt === null ? null : { agentRunId, startedAt },
    });
    if (backlog) this.wake.wake();
    if (waiting) this.wake.wakeWaiting();
  }
}
