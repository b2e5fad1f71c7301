// Platform, data folder. Where the folders of other users lie when they cannot enter the data folder: started as
// root below a home of mode 0700 (`/root/horarium`), neither PostgreSQL nor agents could. They get a place under
// /var/lib, and the data folder a link `outside` that leads there.
import { chmodSync, existsSync, lstatSync, mkdtempSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../host/files';
import { canEnter, type HostUser } from '../host/users';
import { DataFolderUnusableError } from './errors';

export const OUTSIDE = '/var/lib/horarium';

/** The folder in which `user` can have folders of its own: the data folder itself, if it can enter that. */
export function homeFor(dataFolder: string, user: HostUser | undefined, outside = OUTSIDE): string {
  const link = join(dataFolder, 'outside');
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return follow(link);
  if (user === undefined || canEnter(dataFolder, user)) return dataFolder;
  try {
    makeFolder(outside, 0o755);
    const home = mkdtempSync(join(outside, 'data-'));
    chmodSync(home, 0o755);
    if (!canEnter(home, user)) throw new Error(`${user.name} cannot enter ${outside} either`);
    symlinkSync(home, `${link}.draft`);
    renameSync(`${link}.draft`, link);
    return realpathSync(home);
  } catch (cause) {
    throw new DataFolderUnusableError(
      `${user.name}, the user that this part of Horarium runs as, cannot enter the data folder ${dataFolder}, and no ` +
        `other place could be made: ${(cause as Error).message}. Set HORARIUM_DATA_DIR to a folder that everybody can enter.`,
      { cause },
    );
  }
}

function follow(link: string): string {
  if (existsSync(link)) return realpathSync(link);
  throw new DataFolderUnusableError(
    `${link} leads to a folder that is gone, and with it the database. Put it back from a backup; ` +
      'remove the link to begin with an empty database.',
  );
}
