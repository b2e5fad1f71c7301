// Auth, port. When a key was last used.
import { token } from '../../../kernel/token';
import type { ApiKey } from '../domain/api-key';

export interface ApiKeyUses {
  /** Returns at once and never throws: no request waits for this, or fails for it. */
  note(key: ApiKey, now: Date): void;
  /** When everything noted is written, or given up. */
  drain(): Promise<void>;
}

export const ApiKeyUses = token<ApiKeyUses>('ApiKeyUses');
