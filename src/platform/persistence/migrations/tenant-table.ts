// Platform, persistence. The second fence of a tenant's table, the same for every table of the house.
import type { QueryRunner } from 'typeorm';

/** Rows are seen by their own user, or by everyone of their tenant. */
export type Audience = 'user' | 'tenant';

/**
 * Forces row-level security (the owner would pass otherwise), and lets the application role work on the table.
 * The settings are read in sub-selects, which PostgreSQL evaluates once for a statement and not once for a row.
 */
export async function fenceTenantTable(runner: QueryRunner, table: string, audience: Audience = 'user'): Promise<void> {
  const own =
    audience === 'user'
      ? 'tenant_id = (select horarium_tenant()) and user_id = (select horarium_user())'
      : 'tenant_id = (select horarium_tenant())';
  const visible = `(select horarium_is_system()) or (${own})`;
  await runner.query(`alter table ${table} enable row level security`);
  await runner.query(`alter table ${table} force row level security`);
  await runner.query(
    `create policy ${table.split('.').at(-1)}_fence on ${table} using (${visible}) with check (${visible})`,
  );
  await runner.query(`grant select, insert, update, delete on ${table} to horarium_app`);
}
