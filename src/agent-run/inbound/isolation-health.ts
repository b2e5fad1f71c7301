// Inbound. Says on the health page whether agents are kept from the house's secrets.
import type { HealthIndicator, HealthReading } from '../../platform/health/health-indicators';

export class IsolationHealth implements HealthIndicator {
  readonly name = 'agent_isolation';
  readonly mustHave = false;

  constructor(private readonly isolation: { readonly kind: string; inWords(): string }) {}

  check(): HealthReading {
    const { kind } = this.isolation;
    return kind === 'none' ? { status: 'warn', kind, message: this.isolation.inWords() } : { status: 'ok', kind };
  }
}
