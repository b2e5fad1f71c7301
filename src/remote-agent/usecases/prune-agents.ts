// Use case. Forgets certificates and tokens that are of no use any more.
import type { CertificatePolicy } from '../domain/certificate';
import type { AgentRepository } from '../ports/agent-repository';

/** Long enough to be asked about in a case that took a while to be noticed. */
const KEPT_MS = 30 * 86_400_000;

export class PruneAgents {
  constructor(
    private readonly agents: AgentRepository,
    private readonly policy: CertificatePolicy,
  ) {}

  run(now: Date): Promise<number> {
    return this.agents.prune(new Date(now.getTime() - this.policy.recoverySeconds * 1_000 - KEPT_MS));
  }
}
