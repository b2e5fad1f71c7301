// Use case. An agent fetches a run of those assistants that it has, as far as its labels allow it. Who waited is looked at
// once more before it gets something: it may have been let in no more meanwhile.
import type { Clock } from '../../kernel/clock';
import type { FetchedWork } from '../domain/work';
import type { Work } from '../ports/work';
import type { AgentActor, AuthenticateAgent, ShownCertificate } from './authenticate-agent';

export interface FetchWorkInput {
  readonly agent: AgentActor;
  readonly certificate: ShownCertificate;
  readonly assistants: readonly string[];
  readonly waitSeconds: number;
  readonly gone: AbortSignal;
}

export class FetchWork {
  constructor(
    private readonly work: Work,
    private readonly authentication: AuthenticateAgent,
    private readonly clock: Clock,
  ) {}

  /** Null: there was none within the time. */
  async run({ agent, certificate, assistants, waitSeconds, gone }: FetchWorkInput): Promise<FetchedWork | null> {
    const allowed = this.work.allowed(assistants, agent.labels);
    if (allowed.length === 0) return null;
    const found = await this.work.fetch({ agent, assistants: allowed, waitSeconds, gone });
    if (found === null) return null;
    try {
      const { labels } = await this.authentication.run(certificate, this.clock.now());
      if (!gone.aborted && this.work.allowed([found.assistantId], labels).length === 1) return found;
    } catch (error) {
      await this.work.giveBack(agent, found);
      throw error;
    }
    await this.work.giveBack(agent, found);
    return null;
  }
}
