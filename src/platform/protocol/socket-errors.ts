// Platform, protocol. How an error is said on a socket: the one table from kind to the codes of the event contract.
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import type { FieldProblem } from './problem';
import { RequestInvalidError } from './request-errors';

export type SocketErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'bad_request'
  | 'unknown_event'
  | 'rate_limited'
  | 'not_joined'
  | 'locked'
  | 'lock_lost'
  | 'conflict'
  | 'payload_too_large'
  | 'unavailable'
  | 'internal';

/** Complete by type: a kind without a code does not compile. */
export const SOCKET_CODE: Readonly<Record<ErrorKind, SocketErrorCode>> = {
  invalid: 'bad_request',
  'not-found': 'not_found',
  conflict: 'conflict',
  busy: 'conflict',
  exhausted: 'rate_limited',
  unauthenticated: 'unauthorized',
  'too-large': 'payload_too_large',
  unavailable: 'unavailable',
  refused: 'forbidden',
  downstream: 'unavailable',
  corrupt: 'internal',
};

/** What stands in an acknowledgement as `error`, and in `data` of a `connect_error`. */
export interface SocketRefusal {
  readonly code: SocketErrorCode;
  /** For people. */
  readonly message: string;
  /** The stable code that the other doors use, too: `survey.locked`. */
  readonly reason?: string;
  readonly fields?: readonly FieldProblem[];
  readonly [detail: string]: unknown;
}

/** By the stable code of an error: a more telling code than its kind has, and what belongs to it (holder, current value). */
export type SocketRefusals = Readonly<
  Record<string, (error: DomainError) => { code: SocketErrorCode; [detail: string]: unknown }>
>;

/** Of every namespace. */
const HOUSE: SocketRefusals = { 'socket.not-joined': () => ({ code: 'not_joined' }) };

const INTERNAL: SocketRefusal = { code: 'internal', message: 'Something went wrong on our side.' };

/** What is no refusal of ours says nothing about itself. */
export function socketRefusal(error: unknown, special: SocketRefusals = {}): SocketRefusal {
  if (!(error instanceof DomainError)) return INTERNAL;
  const fields =
    error instanceof RequestInvalidError
      ? error.errors
      : error.field === undefined
        ? undefined
        : [{ field: error.field, message: error.message }];
  return {
    code: SOCKET_CODE[error.kind],
    message: error.message,
    reason: error.code,
    ...(fields === undefined ? {} : { fields }),
    ...(HOUSE[error.code] ?? special[error.code])?.(error),
  };
}
