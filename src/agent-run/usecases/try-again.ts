// Use case. Starts the runs again that an agent gave back because its provider wanted it to slow down, when their moment has
// come. They are held by no process meanwhile: whoever looks first takes them.
import { DomainError } from '../../kernel/domain-error';
import { systemActor } from '../../kernel/actor';
import type { ThisInstance } from '../../kernel/this-instance';
import type { AgentRun } from '../domain/agent-run';
import { StartAbortedError } from '../domain/errors';
import { bareEnd } from '../domain/run-end';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { FaultLog } from '../ports/fault-log';
import type { RunQueue } from '../ports/run-queue';
import type { RunEndListeners } from './run-end-listeners';

const HOUSE = systemActor('agent runs: tried again after a rate limit');

export class TryAgain {
  /** Taken, and not at work yet. */
  private readonly inLine = new Set<string>();
  private taking = false;

  constructor(
    private readonly runs: AgentRunRepository,
    private readonly assistants: AssistantDirectory,
    private readonly queue: RunQueue,
    private readonly listeners: RunEndListeners,
    private readonly faults: FaultLog,
    private readonly instance: ThisInstance,
  ) {}

  isUnderWay(agentRunId: string): boolean {
    return this.taking || this.inLine.has(agentRunId);
  }

  get busy(): boolean {
    return this.inLine.size > 0;
  }

  /** When the next one is due; null: none waits. */
  async run(now: Date): Promise<Date | null> {
    this.taking = true;
    try {
      const { due, nextAt } = await this.runs.takeRetries(this.instance.id, now);
      for (const turn of due) void this.again(turn, now);
      return nextAt;
    } finally {
      this.taking = false;
    }
  }

  private async again(turn: readonly AgentRun[], now: Date): Promise<void> {
    const [run, ...together] = turn;
    if (run === undefined) return;
    for (const { id } of turn) this.inLine.add(id);
    try {
      if (turn.some(({ fields }) => fields.cancelRequestedAt !== null)) return await this.callOff(turn, now);
      const places = this.assistants.find(run.fields.assistantId)?.concurrency ?? null;
      const start = await this.queue.submit({ run, together, places });
      if (start === 'closed') await this.runs.recordRetry(turn, now);
      if (start === 'withdrawn') await this.callOff(together, now);
    } catch (error) {
      if (error instanceof StartAbortedError) return void (await this.runs.recordRetry(turn, now));
      if (!(error instanceof DomainError))
        return this.faults.report(`agent run ${run.id} could not be tried again`, error);
      // Refused by its driver: the end is stored. Nobody waits for the answer of this start, so it is told.
      const requests = turn.map(({ fields }) => fields.requestId);
      for (const one of await this.runs.byRequestIds(HOUSE, requests)) if (one.ended) await this.listeners.tell(one);
    } finally {
      for (const { id } of turn) this.inLine.delete(id);
    }
  }

  private async callOff(runs: readonly AgentRun[], now: Date): Promise<void> {
    for (const run of runs) {
      const ended = run.endedWith(bareEnd('interrupted', 'Cancelled while it waited to be tried again.'), now);
      if (await this.runs.recordEnd(ended)) await this.listeners.tell(ended);
    }
  }
}
