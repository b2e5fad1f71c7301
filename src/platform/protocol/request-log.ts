// Platform, protocol. One line for each answered request, and the request's id in every other line about it.
// Headers and bodies are not logged: they are where the secrets and the prompts are.
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id';

/** Asked for every few seconds by machines, of no interest when it goes well. */
const QUIET = /^\/(health|metrics|agent\/v1\/heartbeat)(\/|$)/;

export function requestLog(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const log = logger.child({ request_id: requestIdOf(request) });
    // nestjs-pino binds this one to everything that happens during the request.
    Object.assign(request, { log });
    response.once('close', () => {
      const facts = {
        method: request.method,
        url: request.originalUrl.slice(0, 2_000),
        status: response.statusCode,
        ms: Math.round(performance.now() - started),
      };
      if (!response.writableFinished) log.info({ ...facts, context: 'Http' }, 'broken off by the client');
      else if (response.statusCode >= 500) log.error({ ...facts, context: 'Http' }, 'failed');
      else log[QUIET.test(request.path) ? 'debug' : 'info']({ ...facts, context: 'Http' }, 'answered');
    });
    next();
  };
}
