// Platform, ground. What the command line stands on: the settings, the secrets of the data folder, and a database that is
// looked for only when a command needs it.
import type { Config } from '../config/config';
import { connectionUrl, readAttachment } from '../data-folder/attachment';
import { DataFolder } from '../data-folder/data-folder';
import { readSecret } from '../data-folder/secrets';
import { openDataSource, type DataSource } from '../persistence/open-data-source';
import { complete } from './ground';

export interface Attachment {
  readonly config: Config;
  readonly folder: DataFolder;
  /** @throws NoServerRunningError when there is no DATABASE_URL and no server runs on the data folder */
  connect(): Promise<DataSource>;
}

export function attach(settings: Config): Attachment {
  const folder = DataFolder.at(settings.dataDir);
  const config =
    settings.databaseUrl === undefined
      ? complete(settings, {
          jwtSecret: readable(folder, 'jwtSecret'),
          encryptionKey: readable(folder, 'encryptionKey'),
        })
      : settings;
  const connect = async (): Promise<DataSource> => {
    const url = config.databaseUrl ?? connectionUrl(await readAttachment(folder), 'login');
    return openDataSource({ url, poolSize: 2 });
  };
  return { config, folder, connect };
}

/** Somebody else's secret is no secret of ours: commands that need none work for every user of the machine. */
function readable(folder: DataFolder, name: Parameters<typeof readSecret>[1]): string | undefined {
  try {
    return readSecret(folder, name);
  } catch {
    return undefined;
  }
}
