// Auth, port. Signed tokens: proofs of identity that are not stored anywhere.
import { token } from '../../../kernel/token';
import type { Identity } from '../domain/identity';

export interface Tokens {
  /**
   * Who a token speaks of.
   * @throws TokenInvalidError, TokenExpiredError, IdentityProviderUnreachableError
   */
  verify(text: string, now: Date): Promise<Identity>;
  /** When a token ends that `verify` has accepted. */
  endOf(text: string): Date;
  /** @throws NoSigningSecretError */
  issue(identity: Identity, now: Date, expiresAt: Date): Promise<string>;
}

export const Tokens = token<Tokens>('Tokens');
