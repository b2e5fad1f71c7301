// Outbound. The key to one run, for the agent that executes it. Only its hash is stored: who reads the table can use none.
import { createHash, randomBytes } from 'node:crypto';

export function newRunToken(): string {
  return `hrt_${randomBytes(32).toString('base64url')}`;
}

/** No salt and no slow function: it has 256 random bits, nobody guesses it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
