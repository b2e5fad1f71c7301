// Platform. Opens the HTTP door, and says where it is.
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../kernel/domain-error';
import type { Config } from './config/config';

/** Another program has the port, or this user may not have it. */
export class AddressUnusableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.address-unusable';
  /** The message says it all. */
  readonly hint = undefined;
}

/** Answers the address; with PORT=0 it carries the port that was free. */
export async function listen(app: NestExpressApplication, { host, port, publicUrl }: Config): Promise<string> {
  try {
    await app.listen(port, host);
  } catch (error) {
    throw unusable(error, host, port);
  }
  if (port !== 0) return publicUrl;
  const { port: found } = app.getHttpServer().address() as AddressInfo;
  const url = new URL(publicUrl);
  url.port = String(found);
  return url.origin;
}

function unusable(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Another program listens on ${host}:${port}. Stop it, or set PORT (0 takes any free one).`,
    EACCES: `This user may not listen on ${host}:${port}. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has.`,
  };
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined ? error : new AddressUnusableError(reason, { cause: error });
}
