// Auth, outbound adapter. A plain hash suffices: 256 random bits cannot be guessed, unlike a password, and a slow hash
// would be paid at every request.
import { createHash, randomBytes } from 'node:crypto';
import { API_KEY_PREFIX } from '../domain/api-key';
import type { ApiKeySecrets } from '../ports/api-key-secrets';

export class RandomApiKeySecrets implements ApiKeySecrets {
  create(): string {
    return API_KEY_PREFIX + randomBytes(32).toString('base64url');
  }

  hash(key: string): Uint8Array {
    return createHash('sha256').update(key).digest();
  }
}
