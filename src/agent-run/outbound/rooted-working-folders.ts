// Outbound adapter, fills WorkingFolders: a folder is allowed when it lies inside a root of its assistant's, or of the
// house's. Links are followed before it is judged.
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Assistant } from '../domain/assistant';
import { InvalidInputError } from '../domain/errors';
import type { WorkingFolders } from '../ports/working-folders';

export class RootedWorkingFolders implements WorkingFolders {
  constructor(private readonly roots: readonly string[]) {}

  async resolve({ allowedRoots }: Assistant, asked: string): Promise<string> {
    const roots = [...allowedRoots, ...this.roots];
    if (roots.length === 0) throw refusal('the operator allows no folders for this assistant.');
    const folder = asked.startsWith('/') ? await existing(asked) : undefined;
    for (const root of roots) {
      const real = await existing(root);
      if (folder !== undefined && real !== undefined && (folder === real || folder.startsWith(real + sep)))
        return folder;
    }
    // Whether a folder outside of the roots exists is nobody's business: one answer for both.
    throw refusal(`must be an existing folder inside one of: ${roots.join(', ')}.`);
  }
}

function refusal(reason: string): InvalidInputError {
  return new InvalidInputError('working_folder', `working_folder: ${reason}`);
}

async function existing(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
