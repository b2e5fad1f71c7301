// Use case. Where agents find their port, and by whom they know it.
import { ListenerOffError } from '../domain/errors';
import type { ServerIdentity } from '../ports/server-identity';
import type { AgentDoor } from './agent-upkeep';

export interface DoorAddress {
  /** The port as it was opened, when the settings leave it to chance. */
  url(door: AgentDoor): string;
  readonly heartbeatIntervalSeconds: number;
}

export class DoorWhereabouts {
  private door: AgentDoor | undefined;

  constructor(
    private readonly address: DoorAddress,
    private readonly server: ServerIdentity,
  ) {}

  serve(door: AgentDoor): void {
    this.door = door;
  }

  /** Before anything is used up. @throws ListenerOffError */
  require(): AgentDoor {
    if (this.door === undefined) throw new ListenerOffError();
    return this.door;
  }

  async read(now: Date): Promise<{ url: string; vouchers: string | null; heartbeatIntervalSeconds: number }> {
    const url = this.address.url(this.require());
    const vouchers = await this.server.vouchers(now);
    return { url, vouchers, heartbeatIntervalSeconds: this.address.heartbeatIntervalSeconds };
  }
}
