// Auth, inbound. What several commands take alike. They arrive as texts and are judged by the domain.
import { IdentityInvalidError } from '../domain/errors';

/** @throws IdentityInvalidError */
export function required(field: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new IdentityInvalidError(field, `--${field} is required`);
}

/** Not a number: the domain says what a tenant must be. */
export function tenantNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export function commaList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
