// Platform, data folder. What the lock file says: who holds the folder, and how to find out whether they live.
import { dirname, join } from 'node:path';
import { readIfThere } from '../host/files';
import { isRunning, type ProcessIdentity } from '../host/processes';
import { feelPulse } from './life-line';

export interface LockRecord extends ProcessIdentity {
  /** Different for each attempt to hold a lock, so that two stale locks are told apart. */
  readonly id: string;
  readonly host: string;
  /** Name of the socket beside the lock; null where the file system has none. */
  readonly socket: string | null;
}

/** A lock file that nobody can have written whole, left by a machine that lost its power. */
export const UNREADABLE = 'unreadable';

/** Undefined when there is no lock. */
export function readLock(path: string): LockRecord | typeof UNREADABLE | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as Partial<LockRecord>;
    return typeof record.id === 'string' && Number.isInteger(record.pid) ? (record as LockRecord) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/**
 * Whether the lock's holder may live. Alive when the socket answers, or when exactly that process is running.
 * When neither can be told (another container, on a file system without sockets) the answer is yes: two servers
 * on one folder destroy it, and a lock that is held in error costs one `rm`.
 */
export async function mayLive(path: string, record: LockRecord): Promise<boolean> {
  const running = isRunning(record);
  if (running === true) return true;
  const pulse = record.socket === null ? 'unknown' : await feelPulse(join(dirname(path), record.socket));
  if (pulse === 'unknown') return running ?? true;
  return pulse === 'alive';
}
