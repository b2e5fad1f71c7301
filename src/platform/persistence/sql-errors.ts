// Platform, persistence. What the database's own errors mean. Which constraint means which domain error is the
// business of the adapter that owns the table.
import { DomainError } from '../../kernel/domain-error';

/** The database is away, restarting, or out of connections. Whether the statement took effect is not known. */
export class DatabaseUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.database-unavailable';
  constructor(cause: unknown) {
    super('The database cannot be reached at the moment; try again in a few seconds.', { cause });
  }
}

interface DriverError {
  code?: unknown;
  constraint?: unknown;
  message?: unknown;
}

function driverError(error: unknown): DriverError {
  const wrapped = (error as { driverError?: unknown } | null)?.driverError;
  return wrapped ?? error ?? {};
}

/** The name of the constraint or unique index that a statement violated. */
export function constraintOf(error: unknown): string | undefined {
  const { code, constraint } = driverError(error);
  return typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string' ? constraint : undefined;
}

/** SQLSTATE of the error (PostgreSQL documentation, appendix A), when the server sent one. */
export function sqlState(error: unknown): string | undefined {
  const { code } = driverError(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
// What pg, its pool and TypeORM say when a connection is gone; these errors carry no code.
const DRIVER_MESSAGES =
  /Connection terminated|Query read timeout|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Driver not Connected|pool after calling end|not queryable|Query runner already released/i;

/** The driver has waited long enough: the line is dead, or mute. */
export function isUnanswered(error: unknown): boolean {
  return driverError(error).message === 'Query read timeout';
}

/** What is on the other side takes no writes: a standby, or a former primary. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Classes 08 (connection), 57P (operator intervention, start-up, shutdown), 53 (resources), 25006 (read-only). */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const { code, message } = driverError(error);
  const state = sqlState(error);
  if (state !== undefined) return /^(08|57P|53)/.test(state) || state === '25006' || state === '25P03';
  if (typeof code === 'string' && SOCKET_ERRORS.has(code)) return true;
  return typeof message === 'string' && DRIVER_MESSAGES.test(message);
}

export function databaseError(error: unknown): unknown {
  return !(error instanceof DomainError) && isUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}
