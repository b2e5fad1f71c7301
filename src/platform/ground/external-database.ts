// Platform, ground. What is said when the operator's own database cannot be used at a start: where it was looked for, and
// which setting says so. Never with its password.
import { DomainError } from '../../kernel/domain-error';
import { isUnavailable, sqlState } from '../persistence/sql-errors';

export class ExternalDatabaseUnusableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.database-unusable';
  /** The message says it all. */
  readonly hint = undefined;
}

/** Classes 28 (who signs in) and 3D (no such database), besides everything that means "away". */
export function unusableDatabase(error: unknown, url: string): unknown {
  if (!isUnavailable(error) && !/^(28|3D)/.test(sqlState(error) ?? '')) return error;
  const { hostname, port, pathname, username } = new URL(url);
  const where = `${decodeURIComponent(hostname)}${port === '' ? '' : `:${port}`}${pathname}`;
  const who = username === '' ? '' : ` as ${decodeURIComponent(username)}`;
  // Several addresses of one name fail as one error without words of its own.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return new ExternalDatabaseUnusableError(
    `The database at ${where} cannot be used${who}: ${(first as Error).message}. Is it running? Check DATABASE_URL.`,
    { cause: error },
  );
}
