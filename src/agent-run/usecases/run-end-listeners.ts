// Use case. Who wants to know when a run has ended. A listener is told after the end is stored, so that what it reads
// agrees with what it hears.
import type { Owner } from '../../kernel/actor';
import type { AgentRun, AgentRunSummary } from '../domain/agent-run';
import type { FaultLog } from '../ports/fault-log';

export interface RunEnd extends AgentRunSummary {
  readonly metadata: Readonly<Record<string, string>>;
  readonly owner: Owner;
}

export interface RunEndListener {
  runEnded(end: RunEnd): Promise<void>;
}

export class RunEndListeners {
  private readonly listeners: RunEndListener[] = [];

  constructor(private readonly faults: FaultLog) {}

  subscribe(listener: RunEndListener): void {
    this.listeners.push(listener);
  }

  /** Never rejects: a listener that fails is reported, and the others hear of the end all the same. */
  async tell(run: AgentRun): Promise<void> {
    const end = { ...run.summary(), metadata: run.fields.metadata, owner: run.fields.owner };
    await Promise.all(this.listeners.map((listener) => this.tellOne(listener, end)));
  }

  private async tellOne(listener: RunEndListener, end: RunEnd): Promise<void> {
    try {
      await listener.runEnded(end);
    } catch (error) {
      this.faults.report(`${listener.constructor.name} failed at the end of agent run ${end.id}`, error);
    }
  }
}
