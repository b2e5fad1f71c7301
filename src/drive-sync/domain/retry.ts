// Domain: what becomes of a job that failed.
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import { DriveProblemError } from './drive-problem';
import { DriveNotConfiguredError, NotConnectedError } from './errors';

export type Verdict =
  | { readonly type: 'again'; readonly at: Date }
  | { readonly type: 'failed' }
  /** The connection is of no use for now: the job waits, and no try of it is used up. */
  | { readonly type: 'parked' };

/** What the failure says about the tenant's whole connection. */
export type ConnectionVerdict = 'fine' | 'slow-down' | 'reconnect' | 'configuration';

export interface Tries {
  readonly retryCount: number;
  readonly maxRetries: number;
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const LATE_MS = 3_600_000;

/** @param chance from 0 to 1: jobs that failed together do not return together */
export function verdictOn(error: unknown, tries: Tries, now: Date, chance: number): Verdict {
  const problem = error instanceof DriveProblemError ? error.problem : ownClass(error);
  if (problem === 'reconnect' || problem === 'configuration') return { type: 'parked' };
  if (problem === 'item' || problem === 'person' || problem === 'not-found' || problem === 'exists')
    return { type: 'failed' };
  if (tries.retryCount >= tries.maxRetries) return { type: 'failed' };
  const asked = error instanceof DriveProblemError ? (error.failure.retryAfterSeconds ?? 0) * 1_000 : 0;
  const own = problem === 'retry-late' ? LATE_MS * (1 + chance / 4) : backOff(tries.retryCount, chance);
  return { type: 'again', at: new Date(now.getTime() + Math.max(asked, own)) };
}

export function connectionVerdict(error: unknown): ConnectionVerdict {
  // Else its jobs, which are given back untried, would be claimed again at once, and for ever.
  if (error instanceof DriveNotConfiguredError) return 'configuration';
  if (!(error instanceof DriveProblemError)) return 'fine';
  const { problem } = error;
  return problem === 'slow-down' || problem === 'reconnect' || problem === 'configuration' ? problem : 'fine';
}

/** Twice as long each time, the upper half of it by chance. */
export function backOff(retryCount: number, chance: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(retryCount, 20), LONGEST_WAIT_MS) * (0.5 + chance / 2);
}

/** How long a whole connection pauses that was told to slow down, `steps` times in a row. */
export function slowFor(steps: number, retryAfterSeconds: number | undefined): number {
  return Math.max((retryAfterSeconds ?? 0) * 1_000, Math.min(1_000 * 2 ** Math.min(steps, 6), 60_000));
}

/** What is not Drive's refusal: what is away may come back, what is wrong stays wrong. */
function ownClass(error: unknown): 'retry' | 'item' | 'configuration' {
  if (error instanceof NotConnectedError || error instanceof DriveNotConfiguredError) return 'configuration';
  if (error instanceof DomainError) return TRANSIENT.has(error.kind) ? 'retry' : 'item';
  return error instanceof TypeError || error instanceof SyntaxError ? 'item' : 'retry';
}

const TRANSIENT: ReadonlySet<ErrorKind> = new Set(['unavailable', 'busy', 'exhausted', 'downstream']);

/** For `last_error`: never the error object itself, which may hold a token. */
export function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
}
