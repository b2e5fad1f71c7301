// Auth, use case.
import type { Actor } from '../../../kernel/actor';
import type { Tenant } from '../domain/tenant';
import type { TenantRepository } from '../ports/tenant-repository';

export class ListTenants {
  constructor(private readonly tenants: TenantRepository) {}

  run(actor: Actor): Promise<Tenant[]> {
    return this.tenants.list(actor);
  }
}
