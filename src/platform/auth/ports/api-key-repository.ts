// Auth, port. API keys by their hashes.
import type { Actor } from '../../../kernel/actor';
import { token } from '../../../kernel/token';
import type { ApiKey } from '../domain/api-key';

export interface ApiKeyFilter {
  readonly tenantId?: number;
  readonly userId?: string;
  readonly withRevoked: boolean;
}

export interface ApiKeyRepository {
  /** @throws TenantNotFoundError */
  add(actor: Actor, key: ApiKey, hash: Uint8Array): Promise<void>;
  /** Also a revoked or expired one: what that means is not storage's to say. Never from a cache. */
  findByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  /** Those that the actor may see, newest first. */
  list(actor: Actor, filter: ApiKeyFilter): Promise<ApiKey[]>;
  /** The key as it is now; undefined when the actor sees none of that id, or it was revoked before. */
  revoke(actor: Actor, id: string, now: Date): Promise<ApiKey | undefined>;
}

export const ApiKeyRepository = token<ApiKeyRepository>('ApiKeyRepository');
