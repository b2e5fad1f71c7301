// Outbound, command driver. Where agents work: one folder for each thread, theirs alone, in a place that belongs to
// the house.
import { createHash } from 'node:crypto';
import { chmod, chown, copyFile, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { InvalidInputError, LaunchFailedError } from '../../domain/errors';
import { threadId as validThreadId } from '../../domain/thread';
import { obstacle, type OperatingUser } from './operating-user';

export class AgentFolders {
  private constructor(
    /** Holds `agents/`; the data folder itself whenever agents can reach it. */
    readonly base: string,
    private readonly user: OperatingUser | undefined,
  ) {}

  /**
   * Below the data folder, unless that lies where the agents' user may not go (root's home, a private temporary
   * folder): then in `elsewhere`, a folder of the data folder's own name.
   */
  static async open(
    dataFolder: string,
    user: OperatingUser | undefined,
    elsewhere = '/var/lib/horarium',
  ): Promise<AgentFolders> {
    await mkdir(dataFolder, { recursive: true, mode: 0o755 });
    const real = await realpath(dataFolder);
    let base = real;
    if (user !== undefined && (await obstacle(real, user, 'execute')) !== undefined) {
      base = join(elsewhere, createHash('sha256').update(real).digest('hex').slice(0, 12));
    }
    const folders = new AgentFolders(base, user);
    // Passable, not readable: an agent that does not know another thread's id cannot find its folder. Owned by the
    // house: were it the agents', one could put a link in the place of another's folder, and chown would follow.
    await mkdir(folders.threads, { recursive: true, mode: 0o711 });
    await chmod(folders.threads, 0o711);
    return folders;
  }

  get threads(): string {
    return join(this.base, 'agents');
  }

  /** The thread's own folder, made at its first run, owned by whom the agent runs as. */
  async ofThread(threadId: string, user: OperatingUser | undefined): Promise<string> {
    const folder = join(this.threads, validThreadId(threadId));
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw new LaunchFailedError(`The folder ${folder} cannot be made: ${error.message}`);
    });
    const made = await lstat(folder);
    if (!made.isDirectory()) throw new LaunchFailedError(`${folder} should be a folder, and is not.`);
    if (user !== undefined && made.uid !== user.uid) await chown(folder, user.uid, user.gid);
    return folder;
  }

  /**
   * A file of the house that agents must be able to read or run (the bundled agent, the program that runs it): itself
   * where their user reaches it, otherwise a copy beside their folders.
   */
  async reachable(file: string): Promise<string> {
    if (this.user === undefined || (await obstacle(file, this.user, 'read')) === undefined) return file;
    const shelf = join(this.base, 'bundled');
    await mkdir(shelf, { recursive: true, mode: 0o755 });
    const copy = join(shelf, basename(file));
    const [from, to] = [await stat(file), await stat(copy).catch(() => undefined)];
    if (to?.size !== from.size || to.mtimeMs < from.mtimeMs) {
      await copyFile(file, copy);
      await chmod(copy, 0o755);
    }
    return copy;
  }
}

/** A folder that somebody asked for, when it lies inside one of `roots`; links are followed before it is judged. */
export async function folderWithin(roots: readonly string[], asked: string): Promise<string> {
  const folder = await realpath(asked).catch(() => undefined);
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    if (folder !== undefined && real !== undefined && (folder === real || folder.startsWith(real + sep))) return folder;
  }
  // Whether a folder outside of the roots exists is nobody's business: one answer for both.
  throw new InvalidInputError(
    'working_folder',
    roots.length === 0
      ? 'working_folder: the operator allows no folders for this assistant.'
      : `working_folder must be an existing folder inside one of: ${roots.join(', ')}.`,
  );
}
