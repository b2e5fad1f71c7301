// Outbound adapter: the log, and the outbox, by which other features hear of channels at risk.
import { systemActor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import type { RenewalLog } from '../ports/renewal-log';

const SYSTEM = systemActor('drive channels');

export class OutboxRenewalLog implements RenewalLog {
  constructor(
    private readonly sessions: Sessions,
    private readonly say: (message: string) => void,
  ) {}

  warn(message: string): void {
    this.say(message);
  }

  async atRisk(tenantId: number, reason: string, expiresAt: Date | null, now: Date): Promise<void> {
    const payload = { tenant_id: tenantId, reason, expires_at: expiresAt?.toISOString() ?? null };
    await this.sessions.run(SYSTEM, (tx) =>
      appendEvents(tx, [{ tenantId, type: 'channel.at-risk', payload, occurredAt: now }]),
    );
  }
}
