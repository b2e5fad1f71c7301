// Inbound. Hears of the end of every agent run and hands on those that belong to a task.
import type { RunEnd, RunEndListener, RunEndListeners } from '../../agent-run';
import type { Clock } from '../../kernel/clock';
import type { RecordOutcome } from '../usecases/record-outcome';

export class RunFinishedListener implements RunEndListener {
  constructor(
    listeners: RunEndListeners,
    private readonly recordOutcome: RecordOutcome,
    private readonly clock: Clock,
  ) {
    listeners.subscribe(this);
  }

  async runEnded(end: RunEnd): Promise<void> {
    const { scheduled_task_id: taskId, scheduled_task_run_id: runId } = end.metadata;
    if (!isText(taskId) || !isText(runId) || runId !== end.requestId) {
      // Nobody's task, but tasks may have waited for its conversation.
      return this.recordOutcome.threadIdle();
    }
    const { id: agentRunId, threadId, status, error, presumed, startedAt, finishedAt } = end;
    await this.recordOutcome.run(
      { runId, agentRunId, threadId, status, error, presumed, startedAt, finishedAt },
      this.clock.now(),
    );
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
