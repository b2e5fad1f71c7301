// Auth, port. Makes keys that nobody guesses.
import { token } from '../../../kernel/token';

export interface ApiKeySecrets {
  /** A new key of 256 random bits, `hk_…`. */
  create(): string;
  /** What is stored in its place. The same for the same key, and no way back. */
  hash(key: string): Uint8Array;
}

export const ApiKeySecrets = token<ApiKeySecrets>('ApiKeySecrets');
