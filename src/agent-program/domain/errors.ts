// Domain. What an agent can run into.
import { DomainError, type ErrorKind } from '../../kernel/domain-error';

export class NotEnrolledError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'agent-program.not-enrolled';
  readonly hint = undefined;
  constructor(where: string) {
    super(`This machine is not enrolled (${where}): \`horarium agent enroll --server <address> --token <token>\`.`);
  }
}

export class AlreadyEnrolledError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'agent-program.already-enrolled';
  readonly hint = undefined;
  constructor(where: string, agentId: string) {
    super(`This machine is enrolled as agent ${agentId} (${where}); --again enrols it anew.`);
  }
}

export class UnsafeServerError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-program.unsafe-server';
  constructor(server: string) {
    super(`${server} would carry the token in the clear: use https://, or --allow-http where the network is yours.`, {
      field: 'server',
    });
  }
}

/** No answer: try again. */
export class ServerAwayError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'agent-program.server-away';
  readonly hint = undefined;
  /** The connection was there and ended: a kept one that the server had just closed, or a certificate it did not take. */
  readonly reset: boolean;
  constructor(url: string, cause: NodeJS.ErrnoException) {
    super(`${url} does not answer (${cause.code ?? cause.message})`, { cause });
    this.reset = cause.code === 'ECONNRESET' || cause.code === 'EPIPE' || (cause.code ?? '').startsWith('ERR_SSL');
  }
}

export class ServerRefusesError extends DomainError {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint = undefined;
  constructor(
    readonly status: number,
    /** As the server says it. */
    code: string,
    detail: string,
  ) {
    super(detail);
    this.code = code;
    this.kind = KINDS[status] ?? 'downstream';
  }
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthenticated',
  403: 'refused',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  422: 'invalid',
};

/** Nobody but a person can help: it would be refused for ever. */
export function isFinal(error: unknown): error is ServerRefusesError {
  return (
    error instanceof ServerRefusesError &&
    ['cert-revoked', 'cert-unknown', 'cert-superseded', 'proof-invalid'].some(
      (what) => error.code === `remote-agent.${what}`,
    )
  );
}

export class FileUnreadableError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-program.file-unreadable';
  constructor(path: string, why: string) {
    super(`${path} cannot be sent: ${why}.`, { field: 'file' });
  }
}

/** The run is somebody else's, or over; or we may say nothing about any run. */
export function isNotOurs(error: unknown): boolean {
  return error instanceof ServerRefusesError && (error.status === 409 || isFinal(error));
}
