// Test support. Folders that are gone after the test file.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new empty folder that everybody can enter. */
export function scratchFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'horarium-scratch-')));
  chmodSync(path, 0o755);
  made.push(path);
  return path;
}

export function removeScratch(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
