// Platform, embedded database. The database of a house that has none of its own: server, roles, migrations, and the
// note by which the CLI and further processes find it. The caller holds the data folder's lock.
import { type Attachment, connectionUrl, removeAttachment, writeAttachment } from '../data-folder/attachment';
import type { DataFolder } from '../data-folder/data-folder';
import type { Secrets } from '../data-folder/secrets';
import { prepareDatabase } from '../persistence/prepare-database';
import { runMigrations } from '../persistence/run-migrations';
import { EmbeddedPostgres, OWNER_ROLE } from './embedded-postgres';
import type { PostmasterExit } from './postmaster';

export const DATABASE = 'horarium';
export const LOGIN_ROLE = 'horarium_login';

/** What the supervisor tells; all of it is for the log. */
export interface DatabaseEvents {
  readonly onLog?: (line: string) => void;
  readonly onUnexpectedExit?: (exit: PostmasterExit) => void;
  readonly onRestarted?: (downForMs: number) => void;
  readonly onRestartFailed?: (error: unknown) => void;
}

export interface EmbeddedDatabaseOptions extends DatabaseEvents {
  readonly agentUsers?: readonly string[];
  readonly maxConnections?: number;
}

export interface EmbeddedDatabase {
  /** What the house works with. */
  readonly url: string;
  /** For migrations. */
  readonly ownerUrl: string;
  /** Names of the migrations that this start applied. */
  readonly migrations: readonly string[];
  readonly server: EmbeddedPostgres;
  stop(): Promise<void>;
}

export async function startEmbeddedDatabase(
  folder: DataFolder,
  secrets: Secrets,
  options: EmbeddedDatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  // A killed server leaves its note; until the new one listens, there is nothing to attach to.
  removeAttachment(folder);
  const owner = { user: OWNER_ROLE, password: secrets.databaseOwnerPassword };
  const login = { user: LOGIN_ROLE, password: secrets.databaseLoginPassword };
  const server = await EmbeddedPostgres.start({ ...options, folder: folder.path, password: owner.password });
  try {
    const attachment: Attachment = { host: '127.0.0.1', port: server.port, database: DATABASE, owner, login };
    await prepareDatabase({ serverUrl: server.url('postgres'), database: DATABASE, login });
    const ownerUrl = connectionUrl(attachment, 'owner');
    const migrations = await runMigrations(ownerUrl, LOGIN_ROLE);
    writeAttachment(folder, attachment);
    const stop = async (): Promise<void> => {
      removeAttachment(folder);
      await server.stop();
    };
    return { url: connectionUrl(attachment, 'login'), ownerUrl, migrations, server, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
