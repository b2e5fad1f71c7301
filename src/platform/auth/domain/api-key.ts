// Auth, domain. An API key as it is stored and shown. The key itself is seen once, by whoever made it, and only its
// hash is kept.
import type { Identity } from './identity';

export interface ApiKey extends Identity {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Right to within a minute: it is not written at every use. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export const API_KEY_PREFIX = 'hk_';

const USE_WRITTEN_EVERY_MS = 60_000;

export function isUsable(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

export function useIsWorthWriting(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_WRITTEN_EVERY_MS;
}
