// Use case. What an agent says about a run that it has: that it is still at it, and how it ended.
import { sessionName, type WorkEnd, type WorkRenewal } from '../domain/work';
import type { Work } from '../ports/work';
import type { AgentActor } from './authenticate-agent';

export class ReportWork {
  constructor(private readonly work: Work) {}

  renew(agent: AgentActor, runId: string, token: string): Promise<WorkRenewal> {
    return this.work.renew(agent, runId, token);
  }

  async complete(agent: AgentActor, runId: string, token: string, end: WorkEnd): Promise<void> {
    await this.work.complete(agent, runId, token, { ...end, agentSession: sessionName(end.agentSession) });
  }
}
