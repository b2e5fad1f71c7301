// Platform, data folder. What can be wrong with it.
import { DomainError } from '../../kernel/domain-error';

export class DataFolderInUseError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'data-folder.in-use';
}

export class DataFolderUnusableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'data-folder.unusable';
  /** The message says it all. */
  readonly hint = undefined;
}

export class NoServerRunningError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'data-folder.no-server';
  /** The message says it all. */
  readonly hint = undefined;
}
