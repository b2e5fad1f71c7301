// Platform, data folder. How the CLI and further processes reach the embedded database of a running server:
// secrets/database.json, written when it listens and removed when it stops. It holds passwords, hence its place.
import { rmSync } from 'node:fs';
import { readIfThere, writeWhole } from '../host/files';
import type { DataFolder } from './data-folder';
import { NoServerRunningError } from './errors';
import { lockHolder } from './folder-lock';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface Attachment {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Owns the tables: migrations only. */
  readonly owner: Credentials;
  /** What everything else connects as. */
  readonly login: Credentials;
}

export function writeAttachment(folder: DataFolder, attachment: Attachment): void {
  writeWhole(folder.attachment, `${JSON.stringify(attachment, undefined, 2)}\n`);
}

export function removeAttachment(folder: DataFolder): void {
  rmSync(folder.attachment, { force: true });
}

/**
 * Reads how to connect. Throws NoServerRunningError when no server holds the folder: a file left by a killed server
 * leads to a port that may be somebody else's by now.
 */
export async function readAttachment(folder: DataFolder): Promise<Attachment> {
  if ((await lockHolder(folder)) === undefined) {
    throw new NoServerRunningError(
      `No Horarium server is running on the data folder ${folder.path}. ` +
        'Start one with `npm start`, or set HORARIUM_DATA_DIR or DATABASE_URL.',
    );
  }
  let text: string | undefined;
  try {
    text = readIfThere(folder.attachment);
  } catch (cause) {
    throw new NoServerRunningError(
      `${folder.attachment} cannot be read: run this as the user that runs the Horarium server.`,
      { cause },
    );
  }
  if (text === undefined) {
    throw new NoServerRunningError(
      `The Horarium server on the data folder ${folder.path} is still starting, or uses DATABASE_URL.`,
    );
  }
  return JSON.parse(text) as Attachment;
}

export function connectionUrl(attachment: Attachment, as: 'owner' | 'login'): string {
  const { user, password } = attachment[as];
  const { host, port, database } = attachment;
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
}
