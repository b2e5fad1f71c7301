// Port. Makes the secrets of enrolment tokens, and what is stored of them.
import { token } from '../../kernel/token';

export interface TokenSecrets {
  /** `hzt_` and 24 random bytes. */
  make(): string;
  hash(secret: string): Uint8Array;
}

export const TokenSecrets = token<TokenSecrets>('TokenSecrets');
