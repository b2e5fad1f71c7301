// Outbound adapter. A new id for every channel: Drive refuses one that it has seen.
import { randomBytes, randomUUID } from 'node:crypto';
import type { ChannelSecrets } from '../ports/channel-secrets';

export class RandomChannelSecrets implements ChannelSecrets {
  id(): string {
    return randomUUID();
  }

  token(): string {
    return randomBytes(32).toString('base64url');
  }
}
