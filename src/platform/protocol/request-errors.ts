// Platform, protocol. Refusals of a request for its shape, before any feature has seen it.
import { DomainError } from '../../kernel/domain-error';
import type { FieldProblem } from './problem';

/** Fields are missing, unknown, or not of the shape that they must have. */
export class RequestInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'request.invalid';

  /** @param errors at least one */
  constructor(readonly errors: readonly FieldProblem[]) {
    super(
      errors.map(({ message }) => message).join('; '),
      errors.length === 1 ? { field: errors[0]?.field } : undefined,
    );
  }
}
