// Use case. What the timetable does for remote agents.
import type { AnnouncePresence } from './announce-presence';
import type { AuthenticateAgent } from './authenticate-agent';
import type { PruneAgents } from './prune-agents';
import type { RecordHeartbeat } from './record-heartbeat';

/** The port for agents, as far as it needs care. */
export interface AgentDoor {
  readonly isOpen: boolean;
  readonly port: number | undefined;
  refresh(now: Date): Promise<void>;
}

export class AgentUpkeep {
  private door: AgentDoor | undefined;

  constructor(
    private readonly heartbeats: RecordHeartbeat,
    private readonly authentication: AuthenticateAgent,
    private readonly presence: AnnouncePresence,
    private readonly pruning: PruneAgents,
  ) {}

  serve(door: AgentDoor): void {
    this.door = door;
  }

  /** Where no agent comes in, nobody's rights are remembered. */
  async rights(now: Date): Promise<void> {
    if (this.door?.isOpen === true) await this.authentication.refresh(now);
  }

  async listener(now: Date): Promise<void> {
    await this.door?.refresh(now);
  }

  flush(now: Date): Promise<void> {
    return this.heartbeats.flush(now);
  }

  /** Where the port is off nobody comes or goes; where it is on only elsewhere, those processes announce. */
  async announce(now: Date): Promise<void> {
    if (this.door !== undefined) await this.presence.run(now);
  }

  async prune(now: Date): Promise<void> {
    if (this.door !== undefined) await this.pruning.run(now);
  }
}
