// Platform, protocol. The log: pino behind Nest's Logger, one JSON object a line, or readable lines on a terminal.
import { RequestMethod } from '@nestjs/common';
import type { Params } from 'nestjs-pino';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../config/config';
import { readableLine } from './log-line';
import { withoutSecrets } from './redaction';

export interface LogSettings {
  readonly logLevel: LogLevel;
  readonly logFormat: 'auto' | 'json' | 'line';
}

/** Where lines go; process.stdout in life. */
export interface LogSink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'token', 'apiKey', 'api_key', 'key_hash'];

/** Nest tells of every module and route at each start: of interest to whoever looks for a fault in the wiring. */
const WIRING_NEWS = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

export function createLogger(settings: LogSettings, sink: LogSink = process.stdout): Logger {
  const readable = settings.logFormat === 'line' || (settings.logFormat === 'auto' && sink.isTTY === true);
  const stream: DestinationStream = {
    write(line) {
      const safe = withoutSecrets(line);
      sink.write(readable ? readableLine(safe, sink.isTTY === true) : safe);
    },
  };
  return pino(
    {
      level: settings.logLevel,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: errorFacts },
      hooks: {
        logMethod(args, write, level) {
          const { context } = (args[0] ?? {}) as { context?: unknown };
          if (level === pino.levels.values['info'] && WIRING_NEWS.has(String(context))) this.debug(...args);
          else write.apply(this, args);
        },
      },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*["x-api-key"]`]), censor: '***' },
    },
    stream,
  );
}

/** For LoggerModule.forRoot: Nest's loggers write to `logger`, within a request through its own child (request-log.ts). */
export function loggerParams(logger: Logger): Params {
  return {
    pinoHttp: { logger },
    useExisting: true,
    // Nest 11 warns about the module's default route under a global prefix.
    forRoutes: [{ path: '{*path}', method: RequestMethod.ALL }],
  };
}

/**
 * Of an error only type, message, code and stacks, down its causes. Drivers hang statements and their parameters on
 * their errors, which are our users' texts.
 */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: stacks(error, 0),
  };
}

function stacks(error: Error, depth: number): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error && depth < 5 ? `${own}\ncaused by: ${stacks(error.cause, depth + 1)}` : own;
}
