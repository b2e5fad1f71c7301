// Auth, inbound. `horarium token create`.
import { Inject } from '@nestjs/common';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { Clock } from '../../../kernel/clock';
import { CliOutput, type JsonOption } from '../../protocol/cli-output';
import { wireTime } from '../../protocol/wire-time';
import { parseLifetime } from '../domain/lifetime';
import { CreateToken } from '../usecases/create-token';
import { commaList, required, tenantNumber } from './command-options';

interface TokenOptions extends JsonOption {
  tenant?: string;
  user?: string;
  role?: string;
  ttl?: string;
}

@SubCommand({ name: 'create', description: 'print a token for a user, and nothing else' })
export class TokenCreateCommand extends CommandRunner {
  constructor(
    private readonly createToken: CreateToken,
    private readonly output: CliOutput,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    super();
  }

  async run(_: string[], options: TokenOptions): Promise<void> {
    await this.output.run(
      options,
      async () => this.createToken.run(input(options), this.clock.now()),
      ({ token }) => token,
      ({ token, expiresAt }) => ({ token, expires_at: wireTime(expiresAt) }),
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

  @Option({ flags: '--ttl <time>', description: 'how long it is good for: 30m, 12h, 7d (24h)' })
  ttl(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

function input(options: TokenOptions) {
  return {
    tenantId: tenantNumber(required('tenant', options.tenant)),
    userId: required('user', options.user),
    roles: commaList(options.role ?? 'user'),
    ttlSeconds: parseLifetime(options.ttl ?? '24h'),
  };
}

@Command({ name: 'token', description: 'signed tokens', subCommands: [TokenCreateCommand] })
export class TokenCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
