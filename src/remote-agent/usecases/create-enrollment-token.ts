// Use case. Makes a token with which machines enrol; the answer is the only place where it is shown.
import type { UserActor } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import { agentLabels } from '../domain/agent';
import { type EnrollmentToken, tokenLife, tokenUses } from '../domain/enrollment-token';
import { AgentNotFoundError } from '../domain/errors';
import type { AgentRepository } from '../ports/agent-repository';
import type { EnrollmentTokens } from '../ports/enrollment-tokens';
import type { TokenSecrets } from '../ports/token-secrets';

export interface CreateEnrollmentTokenInput {
  readonly ttlSeconds?: number;
  readonly maxUses?: number;
  /** Reissue: for this agent, whose other certificates end when the new one is first used. */
  readonly agentId?: string;
  readonly labels?: readonly string[];
}

export class CreateEnrollmentToken {
  constructor(
    private readonly tokens: EnrollmentTokens,
    private readonly agents: AgentRepository,
    private readonly secrets: TokenSecrets,
    private readonly ids: Ids,
  ) {}

  async run(
    actor: UserActor,
    { ttlSeconds, maxUses, agentId, labels }: CreateEnrollmentTokenInput,
    now: Date,
  ): Promise<{ token: EnrollmentToken; secret: string }> {
    const token: EnrollmentToken = {
      id: this.ids.uuid(),
      tenantId: actor.tenantId,
      createdBy: actor.userId,
      createdAt: now,
      expiresAt: tokenLife(now, ttlSeconds),
      maxUses: tokenUses(maxUses, agentId !== undefined),
      uses: 0,
      agentId: agentId ?? null,
      labels: agentLabels(labels),
    };
    if (agentId !== undefined && (await this.agents.find(actor, agentId)) === undefined) {
      throw new AgentNotFoundError(agentId);
    }
    const secret = this.secrets.make();
    await this.tokens.add(actor, token, this.secrets.hash(secret));
    return { token, secret };
  }
}
