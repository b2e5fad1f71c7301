// Outbound adapter, fills AssistantDriver: the run waits until an agent fetches it (POST /api/agent-runs/claim), which keeps it
// by signs of life and reports its end. Who may fetch, and how they wait, is the business of the use cases.
import { settingsOf, type Assistant } from '../domain/assistant';
import type {
  AssistantDriver,
  DriverCapabilities,
  DriverStatus,
  Finding,
  Launch,
  Started,
} from '../ports/assistant-driver';
import type { OutsideRuns } from '../ports/outside-runs';

export class PullDriver implements AssistantDriver {
  private readonly flights = new Map<string, Promise<Started>>();

  constructor(private readonly outside: OutsideRuns) {}

  capabilities(): DriverCapabilities {
    return { outlivesHouse: true, conversations: true };
  }

  start(launch: Launch): Promise<Started> {
    const running = this.flights.get(launch.requestId);
    if (running !== undefined) return running;
    const starting = this.offer(launch);
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

  cancel(requestId: string, reason: string): Promise<void> {
    return this.outside.cancel(requestId, reason);
  }

  /** Whoever works for it works elsewhere. */
  leftBehind(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  inspect(assistant: Assistant): Promise<Finding[]> {
    const { id } = assistant;
    const { labels } = settingsOf(assistant, 'pull');
    const whose = labels?.length === 0 ? 'any enrolled machine' : `enrolled machines labelled ${labels?.join(', ')}`;
    const what =
      labels === null
        ? `Its agents fetch their work: POST /api/agent-runs/claim with {"assistant_ids": ["${id}"]}.`
        : `It runs on ${whose} that have an assistant "${id}" of their own (\`horarium agent run\`).`;
    return Promise.resolve([{ fine: true, what }]);
  }

  private async offer(launch: Launch): Promise<Started> {
    const { assistant, agentRunId, requestId, owner } = launch;
    const { leaseSeconds, claimTimeoutSeconds } = settingsOf(assistant, 'pull');
    const times = { leaseSeconds, claimTimeoutSeconds, timeoutSeconds: assistant.timeoutSeconds };
    await this.outside.offer({ agentRunId, requestId, owner, assistantId: assistant.id, kind: 'pull', ...times });
    return this.follow(launch);
  }

  private follow({ agentRunId, requestId }: Launch): Started {
    const ended = this.outside.ended(agentRunId).finally(() => this.flights.delete(requestId));
    const started = { ended };
    this.flights.set(requestId, Promise.resolve(started));
    return started;
  }
}
