// Platform, outgoing HTTP. What can go wrong with a call of ours to somebody else's server.
import { DomainError } from '../../kernel/domain-error';

/** The address is none that this house calls: not public, and not listed by the operator. Nothing was sent. */
export class DestinationRefusedError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'http.destination-refused';
}

/** `answered-too-much` and `redirects`: the other side was reached. The others leave it open; see `sent`. */
export type FailureReason = 'timeout' | 'network' | 'answered-too-much' | 'redirects' | 'aborted';

/** No usable answer came. */
export class NoAnswerError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'http.no-answer';

  /** @param sent false when the request has certainly not reached anybody; true when it may have */
  constructor(
    message: string,
    readonly reason: FailureReason,
    readonly sent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
