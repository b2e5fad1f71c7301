// Platform, host. What the operating system knows about other processes. Linux answers from /proc; elsewhere
// (macOS) `ps` and `sysctl` do.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

const onLinux = process.platform === 'linux';

/** Tells one process from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in the words of the operating system: only ever compared for equality. */
  readonly started: string;
  /** A reboot begins the counting of ids and start times anew. */
  readonly boot: string;
  /** Process ids mean something only inside one namespace (container). Empty where there are none. */
  readonly namespace: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '', boot: bootId(), namespace: pidNamespace() };
}

/** Whether exactly this process is alive. Undefined: it cannot be told from here. */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  if (identity.boot !== bootId()) return false;
  if (identity.namespace !== pidNamespace()) return undefined;
  return isAlive(identity.pid) && startOf(identity.pid) === identity.started;
}

/** Whether some process has this id and works. One that has ended but that its parent has not noticed does not. */
export function isAlive(pid: number): boolean {
  if (!isTaken(pid)) return false;
  const state = onLinux ? procStat(pid)?.[0] : undefined;
  return state !== 'Z' && state !== 'X';
}

/** Whether some process has this id, be it alive or not yet cleared away. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time of a process, undefined when there is none. */
export function startOf(pid: number): string | undefined {
  return onLinux ? procStat(pid)?.[STARTED] : ps(pid, 'lstart=');
}

/** The same from the words that a process found out about itself: /proc/<pid>/stat, elsewhere `ps -o lstart=`. */
export function startIn(words: string): string | undefined {
  return (onLinux ? fieldsOf(words)[STARTED] : words.trim()) || undefined;
}

export function commandLine(pid: number): string {
  if (!onLinux) return ps(pid, 'command=') ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/**
 * The processes whose working folder is `folder`, compared by inode, so that a folder that was moved or is reached
 * through a link is still itself. Undefined where the operating system does not tell.
 */
export function processesIn(folder: string): number[] | undefined {
  if (!onLinux) return undefined;
  const { dev, ino } = statSync(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const cwd = statSync(`/proc/${name}/cwd`);
        return cwd.dev === dev && cwd.ino === ino;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Field 22 of /proc/<pid>/stat, counted behind the name. */
const STARTED = 19;

function procStat(pid: number): string[] | undefined {
  try {
    return fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Behind the name, which may hold blanks and brackets. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function bootId(): string {
  try {
    return onLinux
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      : execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function pidNamespace(): string {
  try {
    return onLinux ? readlinkSync('/proc/self/ns/pid') : '';
  } catch {
    return '';
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', env, stdio }).trim() || undefined;
  } catch {
    return undefined;
  }
}
