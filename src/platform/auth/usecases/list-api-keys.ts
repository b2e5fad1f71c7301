// Auth, use case.
import type { Actor } from '../../../kernel/actor';
import type { ApiKey } from '../domain/api-key';
import type { ApiKeyFilter, ApiKeyRepository } from '../ports/api-key-repository';

export class ListApiKeys {
  constructor(private readonly keys: ApiKeyRepository) {}

  run(actor: Actor, filter: ApiKeyFilter): Promise<ApiKey[]> {
    return this.keys.list(actor, filter);
  }
}
