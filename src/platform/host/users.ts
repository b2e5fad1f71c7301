// Platform, host. Users of the operating system, and what each can reach. Only accounts of /etc/passwd count:
// PostgreSQL looks its own user up by name, and a number without a name does not do.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface HostUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Whether this process may become another user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function hostUsers(): HostUser[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && Number.isInteger(uid) && Number.isInteger(gid));
}

export function nameOfUser(uid: number): string {
  return hostUsers().find((user) => user.uid === uid)?.name ?? `user ${uid}`;
}

/** Whether `user` can enter `folder` and everything above it. */
export function canEnter(folder: string, user: HostUser): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
