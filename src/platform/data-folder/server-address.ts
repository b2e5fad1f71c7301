// Platform, data folder. Where the server on this folder is found from this machine: `address`, one line, written when it
// listens and removed when it stops. The command line finds a server on any port by it.
import { rmSync } from 'node:fs';
import { readIfThere, writeWhole } from '../host/files';
import type { DataFolder } from './data-folder';
import { lockHolder } from './folder-lock';

export function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function writeServerAddress(folder: DataFolder, url: string): void {
  writeWhole(folder.address, `${url}\n`, 0o644);
}

export function removeServerAddress(folder: DataFolder): void {
  rmSync(folder.address, { force: true });
}

/** Undefined when no server holds the folder: a killed one leaves a port that may be somebody else's by now. */
export async function readServerAddress(folder: DataFolder): Promise<string | undefined> {
  if ((await lockHolder(folder)) === undefined) return undefined;
  const text = readIfThere(folder.address)?.trim();
  return text !== undefined && /^http:\/\/[\w.:[\]-]+:\d+$/.test(text) ? text : undefined;
}
