// Auth, port. Tenants.
import type { Actor } from '../../../kernel/actor';
import { token } from '../../../kernel/token';
import type { Tenant } from '../domain/tenant';

export interface TenantRepository {
  /** @throws TenantNameTakenError */
  add(actor: Actor, name: string, now: Date): Promise<Tenant>;
  /** Those that the actor may see, by id. */
  list(actor: Actor): Promise<Tenant[]>;
  /**
   * Whether there is such a tenant. Asked at every request, so a yes may be up to a minute old; a no is always
   * fresh: a tenant made a moment ago, by another process, is there.
   */
  exists(tenantId: number, now: Date): Promise<boolean>;
}

export const TenantRepository = token<TenantRepository>('TenantRepository');
