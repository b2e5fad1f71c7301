// Auth, use case. From a credential to who acts. Every door goes through here: HTTP, sockets, agent tools.
import type { UserActor } from '../../../kernel/actor';
import { API_KEY_PREFIX, type ApiKey, isUsable } from '../domain/api-key';
import { ApiKeyInvalidError, UnknownTenantError } from '../domain/errors';
import type { Identity } from '../domain/identity';
import type { ApiKeyRepository } from '../ports/api-key-repository';
import type { ApiKeySecrets } from '../ports/api-key-secrets';
import type { ApiKeyUses } from '../ports/api-key-uses';
import type { TenantRepository } from '../ports/tenant-repository';
import type { Tokens } from '../ports/tokens';

/** For doors that stay open: how long they may. */
export interface SignedIn {
  readonly actor: UserActor;
  /** None: until it is revoked. */
  readonly expiresAt: Date | null;
  /** May end before its time, by somebody's word: it has to be asked for again and again. */
  readonly revocable: boolean;
}

export class Authenticate {
  constructor(
    private readonly tokens: Tokens,
    private readonly keys: ApiKeyRepository,
    private readonly secrets: ApiKeySecrets,
    private readonly uses: ApiKeyUses,
    private readonly tenants: TenantRepository,
  ) {}

  /** @param credential a token or an API key, as it stood behind `Bearer` */
  async run(credential: string, now: Date): Promise<UserActor> {
    return (await this.signIn(credential, now)).actor;
  }

  async signIn(credential: string, now: Date): Promise<SignedIn> {
    if (credential.startsWith(API_KEY_PREFIX)) {
      const key = await this.ownerOfKey(credential, now);
      return { actor: actorOf(key), expiresAt: key.expiresAt, revocable: true };
    }
    const bearer = await this.bearerOfToken(credential, now);
    return { actor: actorOf(bearer), expiresAt: this.tokens.endOf(credential), revocable: false };
  }

  /** A key's tenant exists: a foreign key holds it. */
  private async ownerOfKey(text: string, now: Date): Promise<ApiKey> {
    const key = await this.keys.findByHash(this.secrets.hash(text));
    if (key === undefined || !isUsable(key, now)) throw new ApiKeyInvalidError();
    this.uses.note(key, now);
    return key;
  }

  private async bearerOfToken(text: string, now: Date): Promise<Identity> {
    const bearer = await this.tokens.verify(text, now);
    if (!(await this.tenants.exists(bearer.tenantId, now))) throw new UnknownTenantError();
    return bearer;
  }
}

function actorOf({ tenantId, userId, roles }: Identity): UserActor {
  return { type: 'user', tenantId, userId, roles };
}
