// Platform, data folder. What the house makes up once for itself, one file each, 0600 in secrets/ (0700).
// A secret is never made anew while its file is there: what was signed or encrypted with it would be lost.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeOnce } from '../host/files';
import type { DataFolder } from './data-folder';
import { DataFolderUnusableError } from './errors';

const FILES = {
  jwtSecret: 'jwt-secret',
  encryptionKey: 'encryption-key',
  databaseOwnerPassword: 'database-owner-password',
  databaseLoginPassword: 'database-login-password',
} as const;

export type SecretName = keyof typeof FILES;
/** Each is 32 random bytes in base64url. */
export type Secrets = Readonly<Record<SecretName, string>>;

/** Reads the secrets and makes those that are missing. Safe for two processes at once: one of them makes each. */
export function ensureSecrets(folder: DataFolder): Secrets {
  const names = Object.keys(FILES) as SecretName[];
  return Object.fromEntries(names.map((name) => [name, ensure(folder, name)])) as Secrets;
}

/** Reads one secret without making it. Undefined when no server has started on this folder yet. */
export function readSecret(folder: DataFolder, name: SecretName): string | undefined {
  const text = readIfThere(join(folder.secrets, FILES[name]));
  return text === undefined ? undefined : checked(folder, name, text);
}

function ensure(folder: DataFolder, name: SecretName): string {
  const make = (): string => `${randomBytes(32).toString('base64url')}\n`;
  return checked(folder, name, writeOnce(join(folder.secrets, FILES[name]), make));
}

function checked(folder: DataFolder, name: SecretName, text: string): string {
  const secret = text.trim();
  if (secret.length >= 32) return secret;
  throw new DataFolderUnusableError(
    `${join(folder.secrets, FILES[name])} is damaged: it must hold at least 32 characters. ` +
      'Put the file back from a backup; remove it only if nothing made with it needs to be read again.',
  );
}
