// Outbound adapter, fills WorkingFolders: a folder is allowed when it lies inside a root of its assistant's, or of the
// house's. Links are followed before it is judged. A root around the data folder does not open that: it holds the
// secrets, and everybody's threads. A root within it does, for who keeps both on one volume.
import { realpath, stat } from 'node:fs/promises';
import type { Assistant } from '../domain/assistant';
import { InvalidInputError } from '../domain/errors';
import type { WorkingFolders } from '../ports/working-folders';
import { isWithin } from './command/is-within';

export class RootedWorkingFolders implements WorkingFolders {
  /** `closed`: where the house keeps its own things. */
  constructor(
    private readonly roots: readonly string[],
    private readonly closed: readonly string[],
  ) {}

  async resolve({ allowedRoots }: Assistant, asked: string): Promise<string> {
    const roots = [...allowedRoots, ...this.roots];
    if (roots.length === 0) throw refusal('the operator allows no folders for this assistant.');
    const folder = asked.startsWith('/') ? await existing(asked) : undefined;
    for (const root of roots) {
      const real = await existing(root);
      if (folder !== undefined && real !== undefined && this.opens(real, folder)) return folder;
    }
    // Whether a folder outside of the roots exists is nobody's business: one answer for both.
    throw refusal(`must be an existing folder inside one of: ${roots.join(', ')}.`);
  }

  private opens(root: string, folder: string): boolean {
    const closed = this.closed.some((house) => isWithin(folder, house) && isWithin(house, root));
    return isWithin(folder, root) && !closed;
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
