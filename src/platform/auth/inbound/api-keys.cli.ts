// Auth, inbound. `horarium api-key create|list|revoke`, for any user's keys.
import { Inject } from '@nestjs/common';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { systemActor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { CliOutput, columns, type JsonOption } from '../../protocol/cli-output';
import { wireTimeOrNull } from '../../protocol/wire-time';
import type { ApiKey } from '../domain/api-key';
import { parseLifetime } from '../domain/lifetime';
import { CreateApiKey } from '../usecases/create-api-key';
import { ListApiKeys } from '../usecases/list-api-keys';
import { RevokeApiKey } from '../usecases/revoke-api-key';
import { ApiKeyResponse } from './api-key.response';
import { commaList, required, tenantNumber } from './command-options';

const OPERATOR = systemActor('command line: API keys');

interface OwnerOptions extends JsonOption {
  tenant?: string;
  user?: string;
}

interface CreateOptions extends OwnerOptions {
  role?: string;
  name?: string;
  ttl?: string;
}

function shown(key: ApiKey) {
  return {
    ...new ApiKeyResponse(key),
    tenant_id: key.tenantId,
    user_id: key.userId,
    revoked_at: wireTimeOrNull(key.revokedAt),
  };
}

@SubCommand({ name: 'create', description: 'print a new key for a user: the only time it is shown' })
export class ApiKeyCreateCommand extends CommandRunner {
  constructor(
    private readonly createKey: CreateApiKey,
    private readonly output: CliOutput,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    super();
  }

  async run(_: string[], options: CreateOptions): Promise<void> {
    await this.output.run(
      options,
      async () => this.createKey.run(OPERATOR, input(options), this.clock.now()),
      ({ key }) => key,
      ({ apiKey, key }) => ({ ...shown(apiKey), key }),
    );
  }

  @Option({ flags: '--tenant <id>', description: 'whose user it is (horarium tenant list)' })
  tenant(value: string): string {
    return value;
  }

  @Option({ flags: '--user <name>', description: 'who signs in with it' })
  user(value: string): string {
    return value;
  }

  @Option({ flags: '--role <roles>', description: 'user, manager or operator; several separated by commas (user)' })
  role(value: string): string {
    return value;
  }

  @Option({ flags: '--name <text>', description: 'for telling keys apart (command line)' })
  name(value: string): string {
    return value;
  }

  @Option({ flags: '--ttl <time>', description: 'how long it is good for: 12h, 90d (until it is revoked)' })
  ttl(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'list', description: 'show keys, also revoked ones' })
export class ApiKeyListCommand extends CommandRunner {
  constructor(
    private readonly listKeys: ListApiKeys,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], { tenant, user, json }: OwnerOptions): Promise<void> {
    const filter = {
      ...(tenant === undefined ? {} : { tenantId: tenantNumber(tenant) }),
      ...(user === undefined ? {} : { userId: user }),
      withRevoked: true,
    };
    await this.output.run(
      { json },
      () => this.listKeys.run(OPERATOR, filter),
      table,
      (keys) => keys.map(shown),
    );
  }

  @Option({ flags: '--tenant <id>', description: 'of this tenant only' })
  tenant(value: string): string {
    return value;
  }

  @Option({ flags: '--user <name>', description: 'of this user only' })
  user(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'revoke', arguments: '<id>', description: 'a key opens nothing from now on' })
export class ApiKeyRevokeCommand extends CommandRunner {
  constructor(
    private readonly revokeKey: RevokeApiKey,
    private readonly output: CliOutput,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.revokeKey.run(OPERATOR, id, this.clock.now()),
      (key) => `revoked ${key.id} (${key.name}) of ${key.userId}`,
      shown,
    );
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@Command({
  name: 'api-key',
  description: 'API keys',
  subCommands: [ApiKeyCreateCommand, ApiKeyListCommand, ApiKeyRevokeCommand],
})
export class ApiKeyCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function input(options: CreateOptions) {
  return {
    tenantId: tenantNumber(required('tenant', options.tenant)),
    userId: required('user', options.user),
    roles: commaList(options.role ?? 'user'),
    name: options.name ?? 'command line',
    ...(options.ttl === undefined ? {} : { ttlSeconds: parseLifetime(options.ttl) }),
  };
}

function table(keys: ApiKey[]): string {
  const rows = keys.map((key) => [
    key.id,
    String(key.tenantId),
    key.userId,
    key.roles.join(','),
    key.name,
    wireTimeOrNull(key.expiresAt) ?? 'never',
    wireTimeOrNull(key.lastUsedAt) ?? 'never',
    wireTimeOrNull(key.revokedAt) ?? '-',
  ]);
  return columns(['id', 'tenant', 'user', 'roles', 'name', 'expires', 'last used', 'revoked'], rows);
}
