// Platform. Everything that stands between a socket and a controller, in one order, the same for main.ts and for tests.
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { Logger as NestLogger } from 'nestjs-pino';
import type { Logger } from 'pino';
import type { Config } from './config/config';
import { limitConnections } from './connections';
import { ProblemFilter } from './protocol/http-errors';
import { keepParserErrors, NotUtf8Error } from './protocol/outside-errors';
import { PROBLEM_JSON, problem } from './protocol/problem';
import { nameRequest, requestIdOf } from './protocol/request-id';
import { requestLog } from './protocol/request-log';
import { FileDoors, MULTIPART } from './protocol/takes-file';
import { RequestValidation } from './protocol/validation';

/** For NestFactory.create: bodies are read by configureHttp, and by nothing before it. */
export const HTTP_OPTIONS = { bodyParser: false, bufferLogs: true } as const satisfies NestApplicationOptions;

const OUTSIDE_THE_PREFIX = [
  'health',
  'health/{*path}',
  'metrics',
  'agent/v1/{*path}',
  'docs',
  'openapi.json',
  'openapi.yaml',
  'surveys/{*path}',
];
/** Messages whose bodies say nothing, whoever sends them and as whatever: they are not read, and cannot be wrong. */
const BODIES_IGNORED = /^\/api\/1\.0\/webhooks\/google-drive\//;
const JSON_TYPES = ['application/json', 'application/*+json'];

/**
 * Call once, after NestFactory.create(…, HTTP_OPTIONS) and before init or listen. The root module imports
 * LoggerModule.forRoot(loggerParams(logger)) with the same logger.
 */
export function configureHttp(app: NestExpressApplication, config: Config, logger: Logger): void {
  limitConnections(app.getHttpServer());
  // Lines of the start were kept back for it; without a flush all that follow would be, too, until listen().
  app.useLogger(app.get(NestLogger));
  app.flushLogs();

  app.disable('x-powered-by');
  app.disable('etag'); // answers are personal and short-lived: hashing each of them helps nobody
  if (config.trustedProxies !== undefined) app.set('trust proxy', config.trustedProxies);
  prefixRoutes(app);

  app.use(nameRequest);
  app.use(requestLog(logger));
  app.use(securityHeaders(new URL(config.publicUrl).protocol === 'https:'));
  app.use('/api', forbidCaching);
  app.use(showTheWay);
  app.use(leaveBodies);
  app.use(requireJson);
  app.useBodyParser('json', { limit: config.maxBodyKib * 1024, type: JSON_TYPES, verify: requireUtf8 });
  app.use(keepParserErrors);

  app.useGlobalGuards(new FileDoors());
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new RequestValidation());
}

/** A part of configureHttp: all that the OpenAPI document, made without a running application, needs of it. */
export function prefixRoutes(app: NestExpressApplication): void {
  app.setGlobalPrefix('api', { exclude: OUTSIDE_THE_PREFIX });
}

/**
 * Over plain HTTP the browser must not be sent to https: Swagger UI of a server in the local network would lose its
 * own scripts (upgrade-insecure-requests), and HSTS would lock people out of every other port of that host.
 */
function securityHeaders(secure: boolean) {
  return helmet({
    hsts: secure,
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': secure ? [] : null } },
    // Has no meaning over plain HTTP but for a warning in the browser's console.
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
  });
}

/** Whoever opens the bare address in a browser is shown what can be done here. Relative: a proxy may add a prefix. */
function showTheWay(request: Request, response: Response, next: NextFunction): void {
  const here = request.path === '/' && (request.method === 'GET' || request.method === 'HEAD');
  if (here) response.redirect(302, 'docs');
  else next();
}

function forbidCaching(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}

/** The parser takes a body that was read for read; the connection of one that is left unread ends with the answer. */
function leaveBodies(request: Request & { _body?: boolean }, response: Response, next: NextFunction): void {
  if (BODIES_IGNORED.test(request.path) && !bodiless(request)) {
    request._body = true;
    delete request.headers['content-type'];
    response.setHeader('Connection', 'close');
  }
  next();
}

function bodiless({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/** A body of another type would be left unread, and the answer would be that every field is missing. */
function requireJson(request: Request, response: Response, next: NextFunction): void {
  // A form with a file passes here; where none is taken, FileDoors refuses it.
  const left = (request as Request & { _body?: boolean })._body === true;
  if (left || request.is([...JSON_TYPES, MULTIPART]) !== false || request.headers['content-length'] === '0') {
    next();
    return;
  }
  const source = {
    status: 415,
    code: 'request.unsupported-media-type',
    detail: `The body is ${request.get('Content-Type') ?? 'of no type'}; send it with Content-Type: application/json.`,
  };
  response.status(source.status).setHeader('Content-Type', PROBLEM_JSON).setHeader('Connection', 'close');
  response.end(JSON.stringify(problem(source, requestIdOf(request))));
}

/** Decoding replaces what is no UTF-8 without a word: a text would be stored that nobody sent. */
function requireUtf8(_request: IncomingMessage, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(body)) throw new NotUtf8Error('not UTF-8');
}
