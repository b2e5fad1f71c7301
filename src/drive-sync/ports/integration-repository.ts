// Port: the tenants' connections to Google Drive. Secrets never come out of it: who speaks with Drive gets a client.
import type { Actor, UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Grant, Integration } from '../domain/integration';

export interface Consent {
  readonly tenantId: number;
  readonly userId: string;
  readonly driveId: string | null;
  readonly verifier: string;
}

export interface IntegrationRepository {
  find(actor: Actor, tenantId: number): Promise<Integration | null>;
  connected(): Promise<Integration[]>;
  beginConsent(actor: UserActor, state: string, consent: Consent, expiresAt: Date): Promise<void>;
  /** Takes the consent away: it is used once. Null: unknown, used, or too old. */
  takeConsent(state: string, now: Date): Promise<Consent | null>;
  /** A new generation: what belongs to an older grant no longer counts. Another account or drive begins with no token. */
  connect(consent: Consent, grant: Grant, now: Date): Promise<Integration>;
  disconnect(actor: Actor, tenantId: number, now: Date): Promise<boolean>;
  /** Only when it is still this generation that is connected. Answers whether it was. */
  needsReconnect(tenantId: number, generation: number, reason: string, now: Date): Promise<boolean>;
  /** No job of the tenant is claimed before `until`. */
  slowDown(tenantId: number, until: Date, reason: string): Promise<void>;
  calm(tenantId: number): Promise<void>;
  /** Why the feed could not be read; gone as soon as it was. */
  noteError(tenantId: number, reason: string): Promise<void>;
  setRoot(tenantId: number, generation: number, rootFolderId: string): Promise<void>;
  /** Answers false for an older generation: nothing was written. */
  saveToken(tenantId: number, generation: number, pageToken: string | null, syncedAt: Date | null): Promise<boolean>;
}

export const IntegrationRepository = token<IntegrationRepository>('IntegrationRepository');
