// Outbound, command driver. A user of the operating system, and what that user may reach.
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UnknownAgentUserError } from '../../domain/errors';

const run = promisify(execFile);

export interface OperatingUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Null when the account has no folder that exists. */
  readonly home: string | null;
}

/** Undefined when this machine knows no such user. */
export async function findUser(name: string): Promise<OperatingUser | undefined> {
  const line = (await directoryEntry(name)) ?? (await passwdEntry(name));
  const [, , uid, gid, , home] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home: await existingFolder(home) };
}

/** The one that HORARIUM_AGENT_USER names. */
export async function knownUser(name: string): Promise<OperatingUser> {
  const user = await findUser(name);
  if (user === undefined) throw new UnknownAgentUserError(name);
  return user;
}

/** Also knows users that do not stand in /etc/passwd; not every machine has the program. */
async function directoryEntry(name: string): Promise<string | undefined> {
  try {
    return (await run('getent', ['passwd', name])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

async function passwdEntry(name: string): Promise<string | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.find((line) => line.startsWith(`${name}:`));
}

/** Accounts of services have `/` or a folder that does not exist: no home that a program could use. */
async function existingFolder(home: string | undefined): Promise<string | null> {
  if (home === undefined || home === '' || home === '/') return null;
  return (await stat(home).catch(() => undefined))?.isDirectory() ? home : null;
}

/**
 * Users that no agent may be, each with what it would get into its hands: root reads every secret, and the owner of the
 * embedded database's files reads every table with `cat`, past all passwords and policies. `home`: where those files lie.
 */
export async function houseUsers(home: string): Promise<ReadonlyMap<number, string>> {
  const clusters = (await readdir(home).catch(() => [])).filter((name) => /^postgres-\d+$/.test(name));
  const owners = await Promise.all(clusters.map(async (name) => (await stat(join(home, name))).uid));
  return new Map([...owners.map((uid) => [uid, "the database's files"] as const), [0, "Horarium's secrets"]]);
}

export type Access = 'read' | 'execute';

/**
 * The first folder or file on the way to `path` that `user` may not pass, or undefined when the way is free. Judged by
 * mode bits: the house asks as root, to whom everything is open, on behalf of somebody else.
 */
export async function obstacle(path: string, user: OperatingUser, access: Access): Promise<string | undefined> {
  for (const folder of foldersAbove(path)) {
    if (!(await allows(folder, user, 0o1))) return folder;
  }
  return (await allows(path, user, access === 'read' ? 0o4 : 0o1)) ? undefined : path;
}

async function allows(path: string, user: OperatingUser, bit: number): Promise<boolean> {
  if (user.uid === 0) return true;
  const { mode, uid, gid } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return (mode & (bit << shift)) !== 0;
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), above];
}
