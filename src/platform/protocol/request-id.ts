// Platform, protocol. One name for a request: in its answer, in every log line about it, in its problem document.
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What a caller may name a request: nothing that could break a log line or a header. */
const SANE = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const ids = new WeakMap<object, string>();

/** Takes the caller's id when it is a sane one, else makes one. Stands before everything else. */
export function nameRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(REQUEST_ID_HEADER);
  const id = given !== undefined && SANE.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader(REQUEST_ID_HEADER, id);
  next();
}

export function requestIdOf(request: object): string | undefined {
  return ids.get(request);
}
