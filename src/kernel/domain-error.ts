// Kernel. What every refusal of the house has in common. How a kind is said over HTTP, on the command line
// or on a socket is not here: see platform/protocol.

/** What sort of refusal an error is. Each protocol answers every kind (platform/protocol/*-errors.ts). */
export type ErrorKind =
  | 'invalid'
  | 'not-found'
  | 'conflict'
  | 'busy'
  | 'exhausted'
  | 'unauthenticated'
  | 'too-large'
  | 'unavailable'
  | 'refused'
  | 'downstream'
  | 'corrupt';

/**
 * A refusal with a reason. `kind` is abstract: an error that was not classified does not compile.
 * The message is for the person who asked: what is wrong, and what would be right.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** Stable name, `<feature>.<what>`, which scripts may rely on: `schedule.task-not-found`. */
  abstract readonly code: string;
  /** The input field at fault, in its wire spelling (`schedule_spec.cron`), when there is one. */
  readonly field?: string;

  constructor(message: string, options?: { field?: string; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    if (options?.field !== undefined) this.field = options.field;
  }
}
