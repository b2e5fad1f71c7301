// Test support. Waits for a file that an agent writes, and for the end of a process, without a fixed pause.
import { readFileSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** The content of `file`, as soon as it exists and is not empty. */
export function appears(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const watcher = watch(dirname(file), (_event, name) => {
      if (name === null || name === basename(file)) look();
    });
    watcher.on('error', reject);
    const look = (): void => {
      readFile(file, 'utf8').then(
        (text) => {
          if (text === '') return;
          watcher.close();
          resolve(text);
        },
        () => undefined,
      );
    };
    look();
  });
}

/** Gone, or a zombie that only waits for its parent to look. */
export function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}

export async function untilGone(pid: number): Promise<void> {
  while (!isGone(pid)) await new Promise((resolve) => setImmediate(resolve));
}
