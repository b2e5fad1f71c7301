// Platform, protocol. How an error is said on the command line: the one table from kind to exit code.
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import { ServerRefusedError } from '../cli/api-errors';
import { httpProblem } from './http-errors';
import { type Problem, problem } from './problem';

/** Complete by type: a kind without an exit code does not compile. */
export const EXIT_CODE: Readonly<Record<ErrorKind, number>> = {
  invalid: 2,
  'too-large': 2,
  unauthenticated: 3,
  'not-found': 4,
  conflict: 5,
  busy: 5,
  refused: 6,
  downstream: 7,
  exhausted: 8,
  unavailable: 9,
  corrupt: 70,
};
const INTERNAL = 70;

const HINTS: Readonly<Partial<Record<ErrorKind, string>>> = {
  unauthenticated: 'make a token with: horarium token create --tenant 1 --user <name> --role user',
  unavailable: 'is Horarium running? with the embedded database it must be; else check DATABASE_URL',
  corrupt: 'horarium doctor shows what is wrong and how to repair it',
};

export interface CliRefusal {
  readonly exitCode: number;
  /** For stderr. */
  readonly text: string;
  /** The same for --json. */
  readonly problem: Problem;
}

export function cliRefusal(error: unknown): CliRefusal {
  if (error instanceof DomainError) {
    const hint = hintOf(error);
    return {
      exitCode: EXIT_CODE[error.kind],
      text: `error: ${error.message}${hint === undefined ? '' : `\nhint: ${hint}`}`,
      problem: error instanceof ServerRefusedError ? error.problem : problem(httpProblem(error)),
    };
  }
  // Whoever sits at this machine may see what is wrong with it: unlike over HTTP, the reason is told.
  const reason = error instanceof Error ? error.message : String(error);
  return {
    exitCode: INTERNAL,
    text: `error: ${reason}`,
    problem: problem({ status: 500, code: 'platform.internal', detail: reason }),
  };
}

/** What to do next. An error that knows better than its kind says so itself, with a `hint` that may be empty. */
function hintOf(error: DomainError & { readonly hint?: string | undefined }): string | undefined {
  return 'hint' in error ? error.hint : HINTS[error.kind];
}
