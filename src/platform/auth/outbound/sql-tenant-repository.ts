// Auth, outbound adapter. Owns table tenants.
import { type Actor, systemActor } from '../../../kernel/actor';
import type { Sessions } from '../../persistence/sessions';
import { constraintOf } from '../../persistence/sql-errors';
import { TenantNameTakenError } from '../domain/errors';
import type { Tenant } from '../domain/tenant';
import type { TenantRepository } from '../ports/tenant-repository';

interface TenantRow {
  id: number;
  name: string;
  created_at: Date;
}

const ADD = 'insert into tenants (name, created_at) values ($1, $2) returning id, name, created_at';
const LIST = 'select id, name, created_at from tenants order by id';
const EXISTS = 'select id from tenants where id = $1';

const AUTHENTICATION = systemActor('authentication');
const REMEMBERED_MS = 60_000;
const REMEMBERED_TENANTS = 10_000;

export class SqlTenantRepository implements TenantRepository {
  /** When each tenant was last seen to exist. Only the yes is kept, see the port. */
  private readonly seen = new Map<number, number>();

  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, name: string, now: Date): Promise<Tenant> {
    try {
      const [row] = await this.sessions.run(actor, (tx) => tx.query<TenantRow>(ADD, [name, now]));
      if (row === undefined) throw new Error('insert into tenants returned no row');
      return toTenant(row);
    } catch (error) {
      if (constraintOf(error) === 'uq_tenants_name') throw new TenantNameTakenError(name);
      throw error;
    }
  }

  async list(actor: Actor): Promise<Tenant[]> {
    const rows = await this.sessions.run(actor, (tx) => tx.query<TenantRow>(LIST));
    return rows.map(toTenant);
  }

  async exists(tenantId: number, now: Date): Promise<boolean> {
    const age = now.getTime() - (this.seen.get(tenantId) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < REMEMBERED_MS) return true;
    const found = await this.sessions.run(AUTHENTICATION, (tx) => tx.query(EXISTS, [tenantId]));
    if (found.length === 0) return false;
    if (this.seen.size >= REMEMBERED_TENANTS) this.seen.clear();
    this.seen.set(tenantId, now.getTime());
    return true;
  }
}

function toTenant(row: TenantRow): Tenant {
  return { id: row.id, name: row.name, createdAt: row.created_at };
}
