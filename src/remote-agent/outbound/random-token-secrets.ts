// Outbound adapter. Secrets of enrolment tokens: chance enough that a fast hash is safe to store.
import { createHash, randomBytes } from 'node:crypto';
import { TOKEN_PREFIX } from '../domain/enrollment-token';
import type { TokenSecrets } from '../ports/token-secrets';

export class RandomTokenSecrets implements TokenSecrets {
  make(): string {
    return TOKEN_PREFIX + randomBytes(24).toString('base64url');
  }

  hash(secret: string): Uint8Array {
    return createHash('sha256').update(secret).digest();
  }
}
