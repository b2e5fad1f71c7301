// Use case. Ends a run before it ends by itself, wherever it is: waiting, about to start, or at work.
import type { Actor } from '../../kernel/actor';
import type { AgentRun } from '../domain/agent-run';
import { AgentRunEndedError, AgentRunNotFoundError } from '../domain/errors';
import { couldBeId } from '../domain/plain-text';
import { bareEnd } from '../domain/run-end';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { RunQueue } from '../ports/run-queue';
import type { ThisInstance } from '../../kernel/this-instance';
import type { ExecuteRun } from './execute-run';
import type { Launches } from './launches';
import type { RunEndListeners } from './run-end-listeners';

export class CancelRun {
  constructor(
    private readonly runs: AgentRunRepository,
    private readonly queue: RunQueue,
    private readonly execution: ExecuteRun,
    private readonly launches: Launches,
    private readonly listeners: RunEndListeners,
    private readonly instance: ThisInstance,
  ) {}

  /**
   * The run as it is when the wish has been delivered: an agent at work takes a while to end, and until then the run
   * shows `cancelRequestedAt`. Asking again is fine; a run that is over is refused.
   */
  async run(actor: Actor, agentRunId: string, now: Date): Promise<AgentRun> {
    const run = couldBeId(agentRunId) ? await this.runs.find(actor, agentRunId) : null;
    if (run === null) throw new AgentRunNotFoundError(agentRunId);
    if (run.ended) throw new AgentRunEndedError(agentRunId, run.status);
    await this.runs.recordCancelRequest(actor, agentRunId, now);
    const cancelling = run.cancelRequested(now);
    if (await this.execution.cancel(agentRunId, reason(actor))) return cancelling;
    if (this.queue.withdraw(agentRunId) || run.status === 'queued') return this.end(cancelling, actor, now);
    // Another process holds it and reads the wish from the row (heed-cancel-requests.ts); one that is dead is settled by
    // others.
    if (run.fields.instanceId !== this.instance.id) return cancelling;
    // Held here, and yet neither waiting nor at work: its start failed in a way that left open whether an agent works.
    await this.launches.cancel(run, reason(actor));
    return this.end(cancelling, actor, now);
  }

  private async end(run: AgentRun, actor: Actor, now: Date): Promise<AgentRun> {
    const ended = run.endedWith(bareEnd('interrupted', reason(actor)), now);
    if (!(await this.runs.recordEnd(ended))) return (await this.runs.find(actor, run.id)) ?? ended;
    await this.listeners.tell(ended);
    return ended;
  }
}

function reason(actor: Actor): string {
  return actor.type === 'user' ? `Cancelled by ${actor.userId}.` : `Cancelled by Horarium: ${actor.reason}.`;
}
