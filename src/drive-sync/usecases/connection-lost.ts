// The tenant's grant is of no use any more: its jobs wait until a person connects again, and are not used up meanwhile.
import type { IntegrationRepository } from '../ports/integration-repository';
import type { WorkerLog } from '../ports/worker-log';

export class ConnectionLost {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly log: WorkerLog,
  ) {}

  async run(tenantId: number, generation: number, reason: string, now: Date): Promise<void> {
    if (await this.integrations.needsReconnect(tenantId, generation, reason, now)) {
      this.log.warn(`Tenant ${tenantId} has to connect its Google Drive again: ${reason}`);
    }
  }
}
