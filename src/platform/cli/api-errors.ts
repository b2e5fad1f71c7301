// Platform, command line. What can go wrong between a command and the server. Exit codes are in protocol/cli-errors.ts.
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import type { Problem } from '../protocol/problem';

/** Nobody answers, or not in time: the server is what has to be looked at. */
export class NoServerError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'cli.no-server';
  /** The message says it all. */
  readonly hint = undefined;
  /** Known for certain: the machine is there, and no server on it. */
  readonly nobodyListens: boolean;

  constructor(message: string, options: { cause: unknown; nobodyListens?: boolean }) {
    super(message, options);
    this.nobodyListens = options.nobodyListens ?? false;
  }
}

/** Somebody answers who does not speak as Horarium does. */
export class NotHorariumError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'cli.not-horarium';
}

/** The command was written in a way that cannot be understood. */
export class UsageError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'cli.usage';
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The server's refusal, as it said it. */
export class ServerRefusedError extends DomainError {
  readonly kind: ErrorKind;
  readonly code: string;
  constructor(
    readonly problem: Problem,
    /** Undefined: the server's words say enough. */
    readonly hint: string | undefined,
  ) {
    super(inWords(problem), problem.field === undefined ? undefined : { field: problem.field });
    this.kind = kindOf(problem.status);
    this.code = problem.code;
  }
}

function kindOf(status: number): ErrorKind {
  return KINDS[status] ?? (status < 500 ? 'invalid' : 'corrupt');
}

/** The table of protocol/http-errors.ts read backwards. conflict and busy share a status, and an exit code as well. */
const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthenticated',
  403: 'refused',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  429: 'exhausted',
  502: 'downstream',
  503: 'unavailable',
};

function inWords({ detail, errors = [] }: Problem): string {
  const more = errors.map(({ message }) => message).filter((message) => !detail.includes(message));
  return [detail, ...more.map((message) => `  ${message}`)].join('\n');
}
