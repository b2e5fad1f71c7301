// Auth. Who part meets port, and where settings become the rules for tokens. Needs Sessions, Clock, Ids and Config
// from global modules. The commands are in auth-cli.module.ts: the server does not load the command line's library.
import { Inject, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Ids } from '../../kernel/ids';
import { Config } from '../config/config';
import { Sessions } from '../persistence/sessions';
import { bind, construct, provide } from '../wiring';
import { ApiKeysController } from './inbound/api-keys.controller';
import { IdentityGuard } from './inbound/identity.guard';
import { JoseTokens } from './outbound/jose-tokens';
import { RandomApiKeySecrets } from './outbound/random-api-key-secrets';
import { SqlApiKeyRepository } from './outbound/sql-api-key-repository';
import { SqlApiKeyUses } from './outbound/sql-api-key-uses';
import { SqlTenantRepository } from './outbound/sql-tenant-repository';
import { ApiKeyRepository } from './ports/api-key-repository';
import { ApiKeySecrets } from './ports/api-key-secrets';
import { ApiKeyUses } from './ports/api-key-uses';
import { TenantRepository } from './ports/tenant-repository';
import { Tokens } from './ports/tokens';
import { Authenticate } from './usecases/authenticate';
import { CreateApiKey } from './usecases/create-api-key';
import { CreateTenant } from './usecases/create-tenant';
import { CreateToken } from './usecases/create-token';
import { ListApiKeys } from './usecases/list-api-keys';
import { ListTenants } from './usecases/list-tenants';
import { RevokeApiKey } from './usecases/revoke-api-key';

const USE_CASES = [Authenticate, CreateApiKey, CreateTenant, CreateToken, ListApiKeys, ListTenants, RevokeApiKey];

@Module({
  controllers: [ApiKeysController],
  providers: [
    bind(TenantRepository, SqlTenantRepository, [Sessions]),
    bind(ApiKeyRepository, SqlApiKeyRepository, [Sessions]),
    bind(ApiKeySecrets, RandomApiKeySecrets, []),
    provide(ApiKeyUses, (sessions: Sessions) => new SqlApiKeyUses(sessions, warnOfUse), [Sessions]),
    provide(Tokens, (config: Config) => new JoseTokens(tokenSettings(config)), [Config]),
    construct(Authenticate, [Tokens, ApiKeyRepository, ApiKeySecrets, ApiKeyUses, TenantRepository]),
    construct(CreateTenant, [TenantRepository]),
    construct(ListTenants, [TenantRepository]),
    construct(CreateToken, [Tokens, TenantRepository]),
    construct(CreateApiKey, [ApiKeyRepository, ApiKeySecrets, Ids]),
    construct(ListApiKeys, [ApiKeyRepository]),
    construct(RevokeApiKey, [ApiKeyRepository]),
    { provide: APP_GUARD, useClass: IdentityGuard },
  ],
  exports: USE_CASES,
})
export class AuthModule implements OnModuleDestroy {
  constructor(@Inject(ApiKeyUses) private readonly uses: ApiKeyUses) {}

  /** Before the database's connections are closed. */
  onModuleDestroy(): Promise<void> {
    return this.uses.drain();
  }
}

function warnOfUse(error: unknown): void {
  new Logger('ApiKeyUses').warn({ err: error }, 'the time of last use of an API key was not written');
}

function tokenSettings({ jwtSecret, jwtJwksUrl, jwtIssuer, jwtAudience }: Config) {
  return { secret: jwtSecret, jwksUrl: jwtJwksUrl, issuer: jwtIssuer, audience: jwtAudience };
}
