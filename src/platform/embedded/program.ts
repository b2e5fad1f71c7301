// Platform, embedded database. Runs the programs of PostgreSQL as the right user, with an environment of their own:
// PG… variables of whoever started the house must not steer them.
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { HostUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';

/** Starts a program; its standard error comes through a pipe. Rejects when it cannot be started at all. */
export function startProgram(path: string, args: readonly string[], user: HostUser | undefined): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      ...(user && { uid: user.uid, gid: user.gid }),
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A process group of its own: Ctrl-C reaches the house only, which stops its database last.
      detached: true,
    });
    child.once('error', (cause) => {
      const as = user ? ` as ${user.name}` : '';
      reject(new EmbeddedDatabaseError(`${path} cannot be started${as}: ${cause.message}`, { cause }));
    });
    child.once('spawn', () => resolve(child));
  });
}

/** Runs a program to its end; throws what it said when it fails. */
export async function runProgram(path: string, args: readonly string[], user: HostUser | undefined): Promise<void> {
  const child = await startProgram(path, args, user);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const code = await new Promise<number | string>((resolve) => {
    child.once('close', (status, signal) => resolve(status ?? signal ?? 'unknown'));
  });
  if (code !== 0) throw new EmbeddedDatabaseError(`${basename(path)} failed (${code}): ${said.trim()}`);
}
