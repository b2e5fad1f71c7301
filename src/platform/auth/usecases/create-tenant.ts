// Auth, use case.
import type { Actor } from '../../../kernel/actor';
import { oneLine } from '../domain/identity';
import type { Tenant } from '../domain/tenant';
import type { TenantRepository } from '../ports/tenant-repository';

export class CreateTenant {
  constructor(private readonly tenants: TenantRepository) {}

  async run(actor: Actor, input: { name: string }, now: Date): Promise<Tenant> {
    return this.tenants.add(actor, oneLine('name', input.name), now);
  }
}
