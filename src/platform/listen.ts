// Platform. Opens the HTTP door, and says where it is.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DomainError } from '../kernel/domain-error';
import type { Config } from './config/config';
import { addressOf } from './data-folder/server-address';

/** Another program has the port, or this user may not have it. */
export class AddressUnusableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.address-unusable';
  /** The message says it all. */
  readonly hint = undefined;
}

/** Before a database is started in vain: it takes seconds, and this is known at once. */
export async function checkAddress({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw unusable(error, host, port);
  }
  probe.close();
  await once(probe, 'close');
}

export interface Listening {
  /** What people are told; with PORT=0 it carries the port that was free. */
  readonly url: string;
  /** Where this machine finds it. */
  readonly local: string;
}

export async function listen(app: NestExpressApplication, { host, port, publicUrl }: Config): Promise<Listening> {
  try {
    await app.listen(port, host);
  } catch (error) {
    throw unusable(error, host, port);
  }
  const { port: found } = app.getHttpServer().address() as AddressInfo;
  const local = addressOf(host, found);
  if (port !== 0) return { url: publicUrl, local };
  const url = new URL(publicUrl);
  url.port = String(found);
  return { url: url.origin, local };
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
