// Platform, data folder. One server for each data folder. The lock is a file that is there whole or not at all
// (written aside, then linked), names its holder, and is taken over by itself when the holder is gone.
import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { writeDraft } from '../host/files';
import { ownIdentity } from '../host/processes';
import type { DataFolder } from './data-folder';
import { DataFolderInUseError } from './errors';
import { holdLifeLine } from './life-line';
import { type LockRecord, mayLive, readLock, UNREADABLE } from './lock-record';

export class FolderLock {
  private readonly atExit = (): void => this.release();

  private constructor(
    private readonly path: string,
    private readonly record: LockRecord,
    private readonly lifeLine: Server | undefined,
  ) {
    process.once('exit', this.atExit);
  }

  /** Takes the folder, or throws DataFolderInUseError that names who has it. */
  static async acquire(folder: DataFolder): Promise<FolderLock> {
    const id = randomUUID();
    const socket = `lock-${id}.sock`;
    // First the life line, then the lock: whoever reads the lock finds its holder's line.
    const lifeLine = await holdLifeLine(join(folder.path, socket));
    const record: LockRecord = { ...ownIdentity(), id, host: hostname(), socket: lifeLine ? socket : null };
    const holder = await take(folder.lock, record);
    if (holder === undefined) return new FolderLock(folder.lock, record, lifeLine);
    lifeLine?.close();
    throw new DataFolderInUseError(inUse(folder, holder));
  }

  /** Gives the folder back. Also done when the process exits; after a kill -9 the next start does without. */
  release(): void {
    process.off('exit', this.atExit);
    const present = readLock(this.path);
    if (present !== undefined && present !== UNREADABLE && present.id === this.record.id) {
      rmSync(this.path, { force: true });
    }
    this.lifeLine?.close();
    removeSocket(this.path, this.record);
  }
}

/** Who runs on this folder now; undefined when nobody does. */
export async function lockHolder(folder: DataFolder): Promise<LockRecord | undefined> {
  const record = readLock(folder.lock);
  if (record === undefined || record === UNREADABLE) return undefined;
  return (await mayLive(folder.lock, record)) ? record : undefined;
}

/**
 * Puts `record` at `path`. Returns undefined when it stands there now, else the holder in its way.
 *
 * A stale lock is replaced only by whoever holds the lock on replacing that very record (`<path>.<its id>`), and
 * only if the record is still there then. Without that second lock, two starters that both found the same stale
 * lock could remove it one after the other, the later one removing the fresh lock of the earlier one.
 */
async function take(path: string, record: LockRecord): Promise<LockRecord | undefined> {
  for (;;) {
    if (linkAt(path, record)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    if (found !== UNREADABLE && (await mayLive(path, found))) return found;

    const guard = `${path}.${idOf(found)}`;
    const other = await take(guard, record);
    if (other !== undefined) return other;
    try {
      const still = readLock(path);
      if (still === undefined || idOf(still) !== idOf(found)) continue;
      renameSync(writeDraft(path, JSON.stringify(record), 0o644), path);
      if (found !== UNREADABLE) removeSocket(path, found);
      return undefined;
    } finally {
      rmSync(guard, { force: true });
    }
  }
}

function linkAt(path: string, record: LockRecord): boolean {
  const draft = writeDraft(path, JSON.stringify(record), 0o644);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function idOf(found: LockRecord | typeof UNREADABLE): string {
  return found === UNREADABLE ? UNREADABLE : found.id;
}

function removeSocket(path: string, { socket }: LockRecord): void {
  if (socket !== null) rmSync(join(dirname(path), socket), { force: true });
}

function inUse(folder: DataFolder, holder: LockRecord): string {
  const own = ownIdentity();
  const elsewhere = holder.namespace !== own.namespace || holder.boot !== own.boot;
  const where = elsewhere ? ` in another container (${holder.host})` : '';
  return (
    `Horarium is already running on the data folder ${folder.path}: process ${holder.pid}${where}. ` +
    'Stop it first, or set HORARIUM_DATA_DIR to another folder.' +
    (elsewhere ? ` If you are sure that it is gone, remove ${folder.lock}.` : '')
  );
}
