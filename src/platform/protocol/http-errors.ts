// Platform, protocol. How an error is said over HTTP: the one table from kind to status, and the filter that answers.
// What body parser and framework throw is translated in outside-errors.ts.
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import { allowedMethods } from './allowed-methods';
import { isUnknownRoute, outsideError } from './outside-errors';
import { PROBLEM_JSON, problem, type ProblemSource } from './problem';
import { RequestInvalidError } from './request-errors';
import { requestIdOf } from './request-id';

/** Complete by type: a kind without an answer does not compile. */
export const HTTP_STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 422,
  'not-found': 404,
  conflict: 409,
  busy: 409,
  exhausted: 429,
  unauthenticated: 401,
  'too-large': 413,
  unavailable: 503,
  refused: 403,
  downstream: 502,
  corrupt: 500,
};

const INTERNAL: ProblemSource = {
  status: 500,
  code: 'platform.internal',
  detail: 'Something went wrong on our side. The request id finds the reason in the log.',
};

/** The status and words of any error; what is no refusal of ours says nothing about itself. */
export function httpProblem(error: unknown): ProblemSource {
  if (!(error instanceof DomainError)) return outsideError(error) ?? INTERNAL;
  return {
    status: HTTP_STATUS[error.kind],
    code: error.code,
    detail: error.message,
    field: error.field,
    errors: error instanceof RequestInvalidError ? error.errors : undefined,
  };
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('HttpErrors');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = requestIdOf(request);
    const methods = isUnknownRoute(error) ? allowedMethods(request) : [];
    const source = methods.length > 0 ? methodNotAllowed(request.method, methods) : httpProblem(error);

    if (source.status >= 500) {
      this.log.error(
        { err: error, request_id: requestId, code: source.code },
        `${request.method} ${request.path} failed`,
      );
    }
    // Half of another answer is out already: all that is left is to end it where the client notices.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (source.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="horarium"');
    if (source.status === 503) response.setHeader('Retry-After', '5');
    if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
    // What is left of a body that was refused unread would be taken for the next request.
    if (source.status === 413) response.setHeader('Connection', 'close');
    response.status(source.status).setHeader('Content-Type', PROBLEM_JSON);
    response.end(JSON.stringify(problem(source, requestId)));
  }
}

function methodNotAllowed(method: string, methods: readonly string[]): ProblemSource {
  return {
    status: 405,
    code: 'request.method-not-allowed',
    detail: `${method} is not possible here; possible: ${methods.join(', ')}.`,
  };
}
