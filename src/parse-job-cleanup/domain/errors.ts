// Domain. What can go wrong with parse jobs, in our words.
import { DomainError } from '../../kernel/domain-error';
import type { ParseJobStatus } from './parse-job';

export class ParseJobNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'parse-job-cleanup.job-not-found';
  constructor(id: string) {
    super(`There is no parse job "${id}".`);
  }
}

export class ParseJobNotReviewableError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'parse-job-cleanup.not-reviewable';
  constructor(id: string, status: ParseJobStatus) {
    super(`Parse job ${id} is ${status}; only one that awaits its review can be approved or rejected.`);
  }
}

export class DocumentTooLargeError extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'parse-job-cleanup.document-too-large';
  constructor(maxBytes: number) {
    super(`The document is larger than the limit of ${Math.floor(maxBytes / 1_048_576)} MiB.`, { field: 'file' });
  }
}

export class InvalidParseJobError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'parse-job-cleanup.invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** The document cannot be read as what it says to be; the job fails with these words. */
export class UnreadableDocumentError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'parse-job-cleanup.unreadable-document';
}
