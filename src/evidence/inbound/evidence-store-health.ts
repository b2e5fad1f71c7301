// Inbound. What the health page says of the store of files.
import { DomainError } from '../../kernel/domain-error';
import type { HealthIndicator, HealthReading } from '../../platform/health/health-indicators';
import type { CheckFiles } from '../usecases/check-files';

export class EvidenceStoreHealth implements HealthIndicator {
  readonly name = 'evidence_store';
  readonly mustHave = false;

  constructor(private readonly checkFiles: CheckFiles) {}

  async check(): Promise<HealthReading> {
    try {
      await this.checkFiles.run();
      return { status: 'ok' };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { status: 'warn', message: error.message };
    }
  }
}
