// Auth, inbound. `horarium tenant create|list`.
import { Inject } from '@nestjs/common';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { systemActor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { CliOutput, columns, type JsonOption } from '../../protocol/cli-output';
import { wireTime } from '../../protocol/wire-time';
import type { Tenant } from '../domain/tenant';
import { CreateTenant } from '../usecases/create-tenant';
import { ListTenants } from '../usecases/list-tenants';

const OPERATOR = systemActor('command line: tenants');

function shown({ id, name, createdAt }: Tenant) {
  return { id, name, created_at: wireTime(createdAt) };
}

@SubCommand({ name: 'create', arguments: '<name>', description: 'make a tenant and print its number' })
export class TenantCreateCommand extends CommandRunner {
  constructor(
    private readonly createTenant: CreateTenant,
    private readonly output: CliOutput,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    super();
  }

  async run([name = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.createTenant.run(OPERATOR, { name }, this.clock.now()),
      (tenant) => String(tenant.id),
      shown,
    );
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'list', description: 'show all tenants' })
export class TenantListCommand extends CommandRunner {
  constructor(
    private readonly listTenants: ListTenants,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.listTenants.run(OPERATOR),
      (tenants) =>
        columns(
          ['id', 'name', 'created'],
          tenants.map((tenant) => [String(tenant.id), tenant.name, wireTime(tenant.createdAt)]),
        ),
      (tenants) => tenants.map(shown),
    );
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@Command({ name: 'tenant', description: 'tenants', subCommands: [TenantCreateCommand, TenantListCommand] })
export class TenantCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
