// Platform, persistence. Refuses a set-up in which the row-level policies would be decoration.
import type { DataSource } from 'typeorm';
import { DomainError } from '../../kernel/domain-error';
import { APP_ROLE } from './sessions';

/** The role that statements run as could read other tenants' rows. */
export class RowSecurityBypassError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.row-security-bypass';
}

interface Finding {
  readonly superuser: boolean;
  readonly bypass: boolean;
  readonly owned: string | null;
  readonly unforced: string | null;
}

/** @throws RowSecurityBypassError naming what gives the role its way around, and how to take it away. */
export async function refuseBypass(source: DataSource): Promise<void> {
  const [finding] = await source.query<Finding[]>(FIND_BYPASS, [APP_ROLE]);
  if (finding === undefined) {
    throw new RowSecurityBypassError(`The role ${APP_ROLE} does not exist in this database; run the migrations.`);
  }
  const role = `The role ${APP_ROLE}, which Horarium works as,`;
  if (finding.superuser)
    throw new RowSecurityBypassError(`${role} is a superuser: alter role ${APP_ROLE} nosuperuser.`);
  if (finding.bypass) {
    throw new RowSecurityBypassError(`${role} may bypass row security: alter role ${APP_ROLE} nobypassrls.`);
  }
  if (finding.owned !== null) {
    throw new RowSecurityBypassError(
      `${role} is, or may become, the owner of ${finding.owned}: give the table to another role, and revoke the membership.`,
    );
  }
  if (finding.unforced !== null) {
    throw new RowSecurityBypassError(
      `The table ${finding.unforced} has no forced row-level security; run the migrations.`,
    );
  }
}

const FIND_BYPASS = `
  select r.rolsuper as superuser,
         r.rolbypassrls as bypass,
         (select min(c.relname) from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
             and pg_has_role(r.oid, c.relowner, 'MEMBER')) as owned,
         (select min(c.relname) from pg_class c
           join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
             and not (c.relrowsecurity and c.relforcerowsecurity)) as unforced
    from pg_roles r
   where r.rolname = $1`;
