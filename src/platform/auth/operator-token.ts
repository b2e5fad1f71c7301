// Auth. The token by which the person at this machine gets in: one line in the data folder, made at the first start, and
// anew when it no longer opens the door.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import type { Config } from '../config/config';
import type { DataFolder } from '../data-folder/data-folder';
import { readIfThere, writeWhole } from '../host/files';
import { Authenticate } from './usecases/authenticate';
import { CreateToken } from './usecases/create-token';

const OPERATOR = { tenantId: 1, userId: 'operator', roles: ['operator'], ttlSeconds: 365 * 86_400 } as const;
/** A token that ends sooner than this is renewed at a start. */
const SOON_MS = 30 * 86_400_000;

/** Null when tokens are made elsewhere (JWKS). */
export async function ensureOperatorToken(
  app: NestExpressApplication,
  config: Config,
  folder: DataFolder,
): Promise<{ file: string; fresh: boolean } | null> {
  if (config.jwtSecret === undefined) return null;
  const now = app.get<Clock>(Clock).now();
  const file = folder.operatorToken;
  const present = readIfThere(file)?.trim();
  if (present !== undefined && (await opens(app.get(Authenticate), present, new Date(now.getTime() + SOON_MS)))) {
    return { file, fresh: false };
  }
  const { token } = await app.get(CreateToken).run(OPERATOR, now);
  writeWhole(file, `${token}\n`);
  return { file, fresh: true };
}

async function opens(authenticate: Authenticate, token: string, at: Date): Promise<boolean> {
  try {
    const actor = await authenticate.run(token, at);
    return actor.roles.includes('operator');
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') return false;
    throw error;
  }
}
