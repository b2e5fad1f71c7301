// Domain. What can go wrong with classification, in our words.
import { DomainError } from '../../kernel/domain-error';
import type { RunReason } from './classification-run';

export class RunNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'evidence-classification.run-not-found';
  constructor(id: string) {
    super(`There is no classification run "${id}".`);
  }
}

export class FileNotInRunError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'evidence-classification.file-not-in-run';
  constructor(evidenceId: string) {
    super(`There is no suggestion for evidence "${evidenceId}" in this run.`);
  }
}

export class ActiveRunError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence-classification.active-run';
  constructor(readonly activeRunId: string) {
    super(`The project is being classified already, by run ${activeRunId}. Wait for its end, or cancel it.`);
  }
}

export class NothingToClassifyError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence-classification.nothing-to-classify';
  constructor() {
    super('The project has no evidence that is unclassified.');
  }
}

export class InvalidClassificationError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'evidence-classification.invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** The program could not be started; the run fails with this reason. */
export class RunnerFailedError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'evidence-classification.runner-failed';
  constructor(
    readonly reason: RunReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The engine does not answer. Nothing is known of the run, and nothing is changed. */
export class RunnerUnreachableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'evidence-classification.runner-unreachable';
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
