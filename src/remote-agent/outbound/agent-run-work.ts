// Outbound adapter: runs that are fetched, through the front door of the feature agent-run. A run's token is bound to the
// certificate's agent: another agent, and whoever asks on the ordinary port, can do nothing with it.
import type { ClaimedRun, ClaimRun, FetchableAssistants, ReportRun } from '../../agent-run';
import type { AgentIdentity } from '../domain/identity';
import type { FetchedWork, WorkEnd, WorkRenewal } from '../domain/work';
import type { FetchWish, Work } from '../ports/work';

export class AgentRunWork implements Work {
  constructor(
    private readonly assistants: FetchableAssistants,
    private readonly claims: ClaimRun,
    private readonly reports: ReportRun,
  ) {}

  allowed(assistants: readonly string[], labels: readonly string[]): string[] {
    return this.assistants.forMachine(assistants, labels);
  }

  async fetch({ agent, assistants, waitSeconds, gone }: FetchWish): Promise<FetchedWork | null> {
    const boundTo = holder(agent);
    const claimed = await this.claims.run({
      scope: { tenantId: agent.tenantId, userId: null },
      assistantIds: assistants,
      claimedBy: boundTo,
      boundTo,
      waitSeconds,
      gone,
    });
    return claimed === null ? null : toWork(claimed);
  }

  async giveBack(agent: AgentIdentity, { runId, token }: FetchedWork): Promise<void> {
    await this.claims.giveBack(runId, token, holder(agent));
  }

  renew(agent: AgentIdentity, runId: string, token: string): Promise<WorkRenewal> {
    return this.reports.renew(runId, token, holder(agent));
  }

  complete(agent: AgentIdentity, runId: string, token: string, end: WorkEnd): Promise<void> {
    return this.reports.complete(runId, token, end, holder(agent));
  }
}

function holder({ agentId }: AgentIdentity): string {
  return `agent ${agentId}`;
}

function toWork({ agentRunId, owner, ...rest }: ClaimedRun): FetchedWork {
  return { runId: agentRunId, ...owner, ...rest };
}
