// Platform, data folder. Where everything that the house keeps on disk lies, and who may read it.
//
//   lock             who runs on this folder (folder-lock.ts)
//   operator-token   one line, 0600
//   address          server-address.ts
//   secrets/         0700: secrets.ts, attachment.ts
//   postgres-18/     the cluster, owned by the user that PostgreSQL runs as
//   agents/          working folders of agents, owned by the user that they run as
import { accessSync, chmodSync, constants, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../host/files';
import { isRoot, nameOfUser } from '../host/users';
import { DataFolderUnusableError } from './errors';

export class DataFolder {
  private constructor(
    /** Absolute and free of links: the user that PostgreSQL runs as may not be able to follow them. */
    readonly path: string,
  ) {}

  /** The folder as a server needs it: made when missing, writable, its secrets closed to everybody else. */
  static open(path: string): DataFolder {
    const wanted = resolve(path);
    try {
      // Others may pass through, since PostgreSQL and agents run as users of their own; what is secret lies deeper.
      makeFolder(wanted, 0o755);
      const folder = DataFolder.at(wanted);
      accessSync(folder.path, constants.W_OK | constants.X_OK);
      closeToWriters(folder.path);
      makeFolder(folder.secrets, 0o700);
      if ((statSync(folder.secrets).mode & 0o077) !== 0) chmodSync(folder.secrets, 0o700);
      return folder;
    } catch (error) {
      throw new DataFolderUnusableError(`The data folder ${wanted} cannot be used: ${reason(wanted, error)}`, {
        cause: error,
      });
    }
  }

  /** The folder as a reader sees it (the CLI): nothing is made or mended. */
  static at(path: string): DataFolder {
    const wanted = resolve(path);
    return new DataFolder(exists(wanted) ? realpathSync(wanted) : wanted);
  }

  get lock(): string {
    return join(this.path, 'lock');
  }

  get address(): string {
    return join(this.path, 'address');
  }

  get operatorToken(): string {
    return join(this.path, 'operator-token');
  }

  get secrets(): string {
    return join(this.path, 'secrets');
  }

  get attachment(): string {
    return join(this.secrets, 'database.json');
  }

  get agents(): string {
    return join(this.path, 'agents');
  }
}

/**
 * Whoever can write here (an agent, say) can put secrets of their own in the place of ours, which the next start would
 * trust. A folder that belongs to somebody else stays as its owner wants it; one for everybody, such as /tmp, is no
 * place for secrets, and not ours to close.
 */
function closeToWriters(path: string): void {
  const { mode, uid } = statSync(path);
  if ((mode & 0o1002) === 0o1002) throw new Error('everybody may write to it');
  if ((mode & 0o022) !== 0 && (isRoot() || uid === process.getuid?.())) chmodSync(path, mode & 0o7755);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function reason(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const found = code === 'EACCES' || code === 'EPERM' ? ownerOf(path) : undefined;
  if (found !== undefined) {
    const me = nameOfUser(process.getuid?.() ?? 0);
    return `it belongs to ${found}, and this process runs as ${me}. Start as ${found}, or set HORARIUM_DATA_DIR.`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it, or something above it, is not a folder.';
  return `${message}. Set HORARIUM_DATA_DIR to a folder that can be written to.`;
}

function ownerOf(path: string): string | undefined {
  try {
    return nameOfUser(statSync(path).uid);
  } catch {
    return undefined;
  }
}
