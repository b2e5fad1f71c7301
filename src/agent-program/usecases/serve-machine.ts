// Use case. `horarium agent run`: presence, and beside it the work.
import type { KeepPresence } from './keep-presence';

export class ServeMachine {
  constructor(private readonly presence: KeepPresence) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.presence.run(signal);
  }
}
