// Outbound, command driver. Where agents work: one folder for each thread, theirs alone, in a place that belongs to
// the house.
import { chmod, chown, copyFile, lstat, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LaunchFailedError } from '../../domain/errors';
import { threadId as validThreadId } from '../../domain/thread';
import { obstacle, type OperatingUser } from './operating-user';

export class AgentFolders {
  private constructor(
    private readonly base: string,
    private readonly user: OperatingUser | undefined,
  ) {}

  /** `base` must be a folder that `user` can enter. */
  static async open(base: string, user: OperatingUser | undefined): Promise<AgentFolders> {
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
