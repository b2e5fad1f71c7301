// Outbound. What drivers have alike whose agents work outside of the house: the run is kept in OutsideRuns, whoever started it,
// and a process only listens for its end.
import type { DriverCapabilities, DriverStatus, Launch, Started } from '../ports/assistant-driver';
import type { OutsideRuns } from '../ports/outside-runs';

export abstract class OutsideDriver {
  protected readonly flights = new Map<string, Promise<Started>>();

  constructor(protected readonly outside: OutsideRuns) {}

  capabilities(): DriverCapabilities {
    return { outlivesHouse: true, conversations: true };
  }

  start(launch: Launch): Promise<Started> {
    const running = this.flights.get(launch.requestId);
    if (running !== undefined) return running;
    const starting = this.handOver(launch);
    this.flights.set(launch.requestId, starting);
    starting.catch(() => this.flights.delete(launch.requestId));
    return starting;
  }

  find(requestId: string): Promise<DriverStatus> {
    return this.outside.state(requestId);
  }

  status(requestId: string): Promise<DriverStatus> {
    return Promise.resolve({ state: this.flights.has(requestId) ? 'running' : 'unknown' });
  }

  async adopt(launch: Launch): Promise<Started | null> {
    const { state } = await this.outside.state(launch.requestId);
    return state === 'unknown' ? null : this.follow(launch);
  }

  /** Whoever works for it works elsewhere. */
  leftBehind(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  protected abstract handOver(launch: Launch): Promise<Started>;

  protected follow({ agentRunId, requestId }: Launch): Started {
    const ended = this.outside.ended(agentRunId).finally(() => this.flights.delete(requestId));
    const started = { ended };
    this.flights.set(requestId, Promise.resolve(started));
    return started;
  }
}
