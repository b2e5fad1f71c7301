// Platform, protocol. Errors that body parser, Express and Nest throw, in the house's words.
import { HttpException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { ProblemSource } from './problem';

/** Thrown while a body is read; the type is what the table below knows it by. */
export class NotUtf8Error extends Error {
  readonly type = 'entity.not-utf8';
}

/** As http-errors makes them, which body parser throws. */
interface ParserError {
  readonly type?: string;
  readonly status?: number;
  readonly message?: string;
  readonly limit?: number;
  readonly expose?: boolean;
}

/**
 * Express' error handler, to stand right behind the body parser: Nest makes of every SyntaxError that it sees a
 * refusal of its own kind, which no longer says that it was about a body.
 */
export function keepParserErrors(error: unknown, _request: Request, _response: Response, next: NextFunction): void {
  const { type, status } = error as ParserError;
  const unlike = error instanceof SyntaxError && type !== undefined;
  next(unlike ? Object.assign(new Error(error.message), { type, status, expose: true }) : error);
}

type Words = (error: ParserError) => ProblemSource;

const PARSER_ERRORS: Readonly<Record<string, Words>> = {
  'entity.parse.failed': ({ message }) => ({
    status: 400,
    code: 'request.malformed-json',
    detail: `The body is not valid JSON: ${(message ?? '').slice(0, 200)}`,
  }),
  'entity.not-utf8': () => ({
    status: 400,
    code: 'request.not-utf8',
    detail: 'The body is not valid UTF-8.',
  }),
  'entity.too.large': ({ limit }) => ({
    status: 413,
    code: 'request.too-large',
    detail: `The body is larger than ${limit === undefined ? 'allowed' : `the limit of ${limit / 1024} KiB`}.`,
  }),
  'encoding.unsupported': () => ({
    status: 415,
    code: 'request.unsupported-encoding',
    detail: 'This content encoding is not supported; supported: gzip, deflate, br, identity.',
  }),
  'charset.unsupported': () => ({
    status: 415,
    code: 'request.unsupported-charset',
    detail: 'This character set is not supported; send UTF-8.',
  }),
  'request.size.invalid': () => ({
    status: 400,
    code: 'request.size-mismatch',
    detail: 'The body is not as long as Content-Length says.',
  }),
  'request.aborted': () => ({ status: 400, code: 'request.aborted', detail: 'The request was broken off.' }),
};

/** The words for an error of the layers around us; undefined for everything that nobody foresaw. */
export function outsideError(error: unknown): ProblemSource | undefined {
  if (error instanceof HttpException) return frameworkError(error);
  if (!(error instanceof Error)) return undefined;
  const { type, status, expose } = error as ParserError;
  const words = type === undefined ? undefined : PARSER_ERRORS[type];
  if (words !== undefined) return words(error);
  return status !== undefined && status >= 400 && status < 500 && expose === true
    ? { status, code: 'request.unreadable', detail: 'The request cannot be read.' }
    : undefined;
}

/** Nest's answer to a path that no controller has. */
export function isUnknownRoute(error: unknown): boolean {
  return error instanceof HttpException && error.getStatus() === 404 && error.message.startsWith('Cannot ');
}

function frameworkError(error: HttpException): ProblemSource {
  const status = error.getStatus();
  if (isUnknownRoute(error)) {
    return { status, code: 'request.unknown-route', detail: `There is nothing at this address (${error.message}).` };
  }
  const body = error.getResponse();
  const message = typeof body === 'string' ? body : (body as { message?: string | string[] }).message;
  const detail = Array.isArray(message) ? message.join('; ') : (message ?? error.message);
  return { status, code: status === 415 ? 'request.unsupported-media-type' : `request.status-${status}`, detail };
}
