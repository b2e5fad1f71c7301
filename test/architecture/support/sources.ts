// Test support for this folder: the files of the repository, as text.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(__dirname, '..', '..', '..');

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.horarium']);

/** Paths relative to the repository, below `folder`, sorted; nothing where the folder does not exist. */
export function filesBelow(folder: string, matching: RegExp): string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const full = join(path, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (matching.test(entry.name)) found.push(relative(root, full));
    }
  };
  try {
    walk(join(root, folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return found.sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function linesOf(path: string): string[] {
  return read(path).replace(/\n$/, '').split('\n');
}

/** `path:line` of every line that matches, for a message one can click on. */
export function linesMatching(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    linesOf(path).flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}
