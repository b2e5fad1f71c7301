// Port. Enrolment tokens: who is let in for the first time. Only their hashes are stored.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { EnrollmentToken } from '../domain/enrollment-token';

export interface Claim {
  readonly tokenHash: Uint8Array;
  readonly keyFingerprint: string;
  /** For a new agent; not taken when the token is bound to one, or the key has used it already. */
  readonly agentId: string;
  readonly name: string;
  readonly version: string;
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly agentId: string; readonly tenantId: number; readonly replacesAll: boolean }
  /** Unknown, expired, withdrawn: not told apart. */
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'used' };

export interface EnrollmentTokens {
  add(actor: UserActor, token: EnrollmentToken, hash: Uint8Array): Promise<void>;
  /** Those that still open something, newest first. */
  list(actor: UserActor, now: Date): Promise<EnrollmentToken[]>;
  withdraw(actor: UserActor, id: string, now: Date): Promise<boolean>;
  /** Cheap: whether a claim is worth the work of reading a request. */
  isOpen(hash: Uint8Array, now: Date): Promise<boolean>;
  /**
   * Uses the token for a key, and makes the agent. Of any number at once as many win as the token has uses; the same
   * key again is answered with its agent again.
   */
  claim(claim: Claim, now: Date): Promise<ClaimResult>;
}

export const EnrollmentTokens = token<EnrollmentTokens>('EnrollmentTokens');
