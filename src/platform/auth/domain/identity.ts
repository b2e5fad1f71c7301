// Auth, domain. Who somebody is: the rules for tenant, user and roles, alike for tokens, keys and commands.
import { type Owner, type Role, ROLES } from '../../../kernel/actor';
import { IdentityInvalidError } from './errors';

export interface Identity extends Owner {
  readonly roles: readonly Role[];
}

const LARGEST_TENANT_ID = 2_147_483_647;
const LONGEST_NAME = 255;

export function isTenantId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_TENANT_ID;
}

/** An opaque name of one line: it goes into settings of the database, into logs, into lists. */
export function isOneLine(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= LONGEST_NAME &&
    !/[\p{Cc}\p{Surrogate}]/u.test(value)
  );
}

/** Roles of ours among those of an identity provider, which has others for its other applications. */
export function knownRoles(values: readonly unknown[]): Role[] {
  return ROLES.filter((role) => values.includes(role));
}

/** @throws IdentityInvalidError */
export function identity(input: { tenantId: number; userId: string; roles: readonly string[] }): Identity {
  if (!isTenantId(input.tenantId)) throw new IdentityInvalidError('tenant', 'tenant must be a whole number from 1');
  const userId = oneLine('user', input.userId);
  const unknown = input.roles.find((role) => !(ROLES as readonly string[]).includes(role));
  if (unknown !== undefined || input.roles.length === 0) {
    throw new IdentityInvalidError('roles', `roles must be one or more of ${ROLES.join(', ')}`);
  }
  return { tenantId: input.tenantId, userId, roles: knownRoles(input.roles) };
}

/** @throws IdentityInvalidError */
export function oneLine(field: string, text: string): string {
  if (isOneLine(text)) return text;
  throw new IdentityInvalidError(field, `${field} must be 1 to ${LONGEST_NAME} characters on one line`);
}
