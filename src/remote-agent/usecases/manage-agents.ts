// Use case. A tenant's agents as its people see and change them.
import type { UserActor } from '../../kernel/actor';
import { type AgentCounts, agentLabels, agentName, type RemoteAgent } from '../domain/agent';
import { AgentNotFoundError } from '../domain/errors';
import type { AgentFilter, AgentPage } from '../domain/listing';
import type { AgentChange, AgentRepository } from '../ports/agent-repository';

export type { AgentChange };

export class ManageAgents {
  constructor(private readonly agents: AgentRepository) {}

  list(actor: UserActor, filter: AgentFilter, page: AgentPage): Promise<RemoteAgent[]> {
    return this.agents.list(actor, filter, page);
  }

  counts(actor: UserActor): Promise<AgentCounts> {
    return this.agents.counts(actor);
  }

  async one(actor: UserActor, id: string): Promise<RemoteAgent> {
    const agent = await this.agents.find(actor, id);
    if (agent === undefined) throw new AgentNotFoundError(id);
    return agent;
  }

  async change(actor: UserActor, id: string, asked: AgentChange, now: Date): Promise<RemoteAgent> {
    const change: AgentChange = {
      ...(asked.name === undefined ? {} : { name: agentName(asked.name) }),
      ...(asked.labels === undefined ? {} : { labels: agentLabels(asked.labels) }),
      ...(asked.disabled === undefined ? {} : { disabled: asked.disabled }),
    };
    if (!(await this.agents.change(actor, id, change, now))) throw new AgentNotFoundError(id);
    return this.one(actor, id);
  }

  async revoke(actor: UserActor, id: string, now: Date): Promise<number> {
    const revoked = await this.agents.revoke(actor, id, now);
    if (revoked === undefined) throw new AgentNotFoundError(id);
    return revoked;
  }

  async delete(actor: UserActor, id: string, now: Date): Promise<void> {
    if (!(await this.agents.delete(actor, id, now))) throw new AgentNotFoundError(id);
  }
}
