// Outbound adapter, fills AssistantDriver: the run waits until an agent fetches it (POST /api/agent-runs/claim), which keeps it
// by signs of life and reports its end. Who may fetch, and how they wait, is the business of the use cases.
import { settingsOf, type Assistant } from '../domain/assistant';
import type { AssistantDriver, Finding, Launch, Started } from '../ports/assistant-driver';
import { OutsideDriver } from './outside-driver';

export class PullDriver extends OutsideDriver implements AssistantDriver {
  cancel(requestId: string, reason: string): Promise<void> {
    return this.outside.cancel(requestId, reason);
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

  protected async handOver(launch: Launch): Promise<Started> {
    const { assistant, agentRunId, requestId, owner } = launch;
    const { leaseSeconds, claimTimeoutSeconds } = settingsOf(assistant, 'pull');
    const times = { leaseSeconds, claimTimeoutSeconds, timeoutSeconds: assistant.timeoutSeconds };
    await this.outside.offer({ agentRunId, requestId, owner, assistantId: assistant.id, kind: 'pull', ...times });
    return this.follow(launch);
  }
}
