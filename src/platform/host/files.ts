// Platform, host. Files that are there whole or not at all, with the mode they were meant to have.
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRoot } from './users';

/** Writes or replaces a file in one step: a reader, or a crash, sees the old or the new text, never a part. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const draft = writeDraft(path, text, mode);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Writes a file unless there is one, in one step; returns what it holds then. Of two writers one wins. */
export function writeOnce(path: string, make: () => string, mode = 0o600): string {
  const present = readIfThere(path);
  if (present !== undefined) return present;
  const draft = writeDraft(path, make(), mode);
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes a folder with exactly this mode, whatever the umask, and those above it so that everybody can pass; leaves
 * existing ones alone. Not with mkdir's `recursive`: that never returns where the kernel makes no folders (/proc).
 */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), 0o755);
    mkdirSync(path);
  }
  chmodSync(path, mode);
  inheritOwner(path);
}

/** A complete, closed, synced file beside `path`, not yet under its name. */
export function writeDraft(path: string, text: string, mode: number): string {
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  const file = openSync(draft, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, mode);
  inheritOwner(draft);
  return draft;
}

// A start under sudo must not leave files in somebody's folder that they can no longer read.
function inheritOwner(path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) chownSync(path, uid, gid);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch {
    // Some file systems cannot sync a folder; the rename is atomic all the same.
  } finally {
    closeSync(folder);
  }
}
