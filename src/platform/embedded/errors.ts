// Platform, embedded database. It cannot run, and what to do about it.
import { DomainError } from '../../kernel/domain-error';

export class EmbeddedDatabaseError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database.embedded-unusable';
  /** The message says it all. */
  readonly hint = undefined;
}
