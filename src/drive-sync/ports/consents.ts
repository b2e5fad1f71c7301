// Port: Google's consent and its grants.
import { token } from '../../kernel/token';
import type { Grant } from '../domain/integration';

export interface ConsentAsk {
  readonly state: string;
  readonly verifier: string;
}

export interface Consents {
  /** Two secrets for one consent: the state that comes back, and the verifier that never leaves this house (PKCE). */
  secrets(): ConsentAsk;
  /** Where the person's browser goes. @throws DriveNotConfiguredError */
  url(ask: ConsentAsk, loginHint?: string): string;
  /** @throws ConsentRefusedError for a narrower scope; DriveProblemError */
  redeem(code: string, verifier: string, driveId: string | null): Promise<Grant>;
  /** Ends the tenant's grant at Google. Never fails: an unreachable Google changes nothing about our side. */
  revoke(tenantId: number): Promise<void>;
}

export const Consents = token<Consents>('Consents');
