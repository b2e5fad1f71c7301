// Auth, use case. A revoked key opens nothing from the next request on, in every process.
import type { Actor } from '../../../kernel/actor';
import type { ApiKey } from '../domain/api-key';
import { ApiKeyNotFoundError } from '../domain/errors';
import type { ApiKeyRepository } from '../ports/api-key-repository';

export class RevokeApiKey {
  constructor(private readonly keys: ApiKeyRepository) {}

  async run(actor: Actor, id: string, now: Date): Promise<ApiKey> {
    const revoked = await this.keys.revoke(actor, id, now);
    if (revoked === undefined) throw new ApiKeyNotFoundError();
    return revoked;
  }
}
