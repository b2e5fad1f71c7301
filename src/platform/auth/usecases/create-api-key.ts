// Auth, use case. Makes a key: for oneself, with roles that one has, or for anybody as the system.
import type { Actor } from '../../../kernel/actor';
import { type Ids, prefixedId } from '../../../kernel/ids';
import type { ApiKey } from '../domain/api-key';
import { RoleNotHeldError } from '../domain/errors';
import { type Identity, identity, oneLine } from '../domain/identity';
import { after, lifetime } from '../domain/lifetime';
import type { ApiKeyRepository } from '../ports/api-key-repository';
import type { ApiKeySecrets } from '../ports/api-key-secrets';

export interface CreateApiKeyInput {
  readonly tenantId: number;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly name: string;
  /** None: until it is revoked. */
  readonly ttlSeconds?: number;
}

export class CreateApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly secrets: ApiKeySecrets,
    private readonly ids: Ids,
  ) {}

  /** The key itself is in this answer and nowhere else, ever again. */
  async run(actor: Actor, input: CreateApiKeyInput, now: Date): Promise<{ apiKey: ApiKey; key: string }> {
    const owner = identity(input);
    mustHold(actor, owner);
    const apiKey: ApiKey = {
      ...owner,
      id: prefixedId('key-', this.ids),
      name: oneLine('name', input.name),
      createdAt: now,
      expiresAt: input.ttlSeconds === undefined ? null : after(now, lifetime(input.ttlSeconds)),
      lastUsedAt: null,
      revokedAt: null,
    };
    const key = this.secrets.create();
    await this.keys.add(actor, apiKey, this.secrets.hash(key));
    return { apiKey, key };
  }
}

function mustHold(actor: Actor, { roles }: Identity): void {
  if (actor.type === 'system') return;
  const foreign = roles.find((role) => !actor.roles.includes(role));
  if (foreign !== undefined) throw new RoleNotHeldError(foreign);
}
