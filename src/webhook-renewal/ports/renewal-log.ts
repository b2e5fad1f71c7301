// Port: what the operator is told, and the others: a channel that is about to end without a successor.
import { token } from '../../kernel/token';

export interface RenewalLog {
  warn(message: string): void;
  /** Told to other features as the event channel.at-risk. */
  atRisk(tenantId: number, reason: string, expiresAt: Date | null, now: Date): Promise<void>;
}

export const RenewalLog = token<RenewalLog>('RenewalLog');
