// Platform, ground. What stands before the server's application is made: data folder, secrets, database. How the command
// line finds a running server's database is in attach.ts.
import type { Logger } from 'pino';
import { Config } from '../config/config';
import { DataFolder } from '../data-folder/data-folder';
import { FolderLock } from '../data-folder/folder-lock';
import { ensureSecrets, type Secrets } from '../data-folder/secrets';
import { startEmbeddedDatabase } from '../embedded/embedded-database';
import { runMigrations } from '../persistence/run-migrations';
import { unusableDatabase } from './external-database';

export interface Ground {
  /** Complete: generated secrets are filled in. */
  readonly config: Config;
  readonly folder: DataFolder;
  /** The login role's; statements run as the application role (persistence/sessions.ts). */
  readonly databaseUrl: string;
  readonly database: 'embedded' | 'external';
  /** Names of the migrations that this start applied. */
  readonly migrations: readonly string[];
  close(): Promise<void>;
}

/**
 * Takes the data folder, starts the embedded database or migrates the given one.
 * @param check what else must hold, asked once the folder is ours and before the database is touched
 * @throws DataFolderInUseError when another server has the folder
 */
export async function openGround(
  config: Config,
  logger: Logger,
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<Ground> {
  const folder = DataFolder.open(config.dataDir);
  const lock = await FolderLock.acquire(folder);
  try {
    await check();
    return config.databaseUrl === undefined
      ? await openEmbedded(config, folder, lock, logger)
      : await openExternal(config, config.databaseUrl, folder, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openEmbedded(config: Config, folder: DataFolder, lock: FolderLock, logger: Logger): Promise<Ground> {
  const log = logger.child({ context: 'EmbeddedPostgres' });
  const secrets = ensureSecrets(folder);
  const embedded = await startEmbeddedDatabase(folder, secrets, {
    ...(config.agentUser === undefined ? {} : { agentUsers: [config.agentUser] }),
    // At LOG it tells of its everyday life; what a person must know comes as WARNING, ERROR, FATAL or PANIC.
    onLog: (line) => (/^\s*(LOG|DETAIL|HINT|STATEMENT|CONTEXT):/.test(line) ? log.debug(line) : log.warn(line)),
    onUnexpectedExit: (exit) => log.error({ exit }, 'The embedded database ended by itself; it is started again'),
    onRestarted: (downForMs) => log.info(`The embedded database is back after ${Math.round(downForMs)} ms`),
    onRestartFailed: (error) => log.error({ err: error }, 'The embedded database could not be started again'),
  });
  const close = async (): Promise<void> => {
    await embedded.stop();
    lock.release();
  };
  const { url: databaseUrl, migrations } = embedded;
  return { config: complete(config, secrets), folder, databaseUrl, database: 'embedded', migrations, close };
}

async function openExternal(config: Config, url: string, folder: DataFolder, lock: FolderLock): Promise<Ground> {
  const migrationUrl = config.databaseMigrationUrl ?? url;
  const migrations = await runMigrations(migrationUrl, decodeURIComponent(new URL(url).username)).catch(
    (error: unknown): never => {
      throw unusableDatabase(error, migrationUrl);
    },
  );
  const close = (): Promise<void> => Promise.resolve(lock.release());
  return { config, folder, databaseUrl: url, database: 'external', migrations, close };
}

/** The configuration with the secrets that were made up where the operator set none. */
export function complete(config: Config, secrets: Partial<Secrets>): Config {
  const filled = {
    jwtSecret: config.jwtSecret ?? secrets.jwtSecret,
    encryptionKey: config.encryptionKey ?? secrets.encryptionKey,
    encryptionKeysOld: olderKeys(config, secrets.encryptionKey),
  };
  return Object.freeze(Object.assign(new Config(), config, filled));
}

/** Whoever sets a key of their own later still reads what the generated one has sealed. */
function olderKeys({ encryptionKey, encryptionKeysOld }: Config, generated: string | undefined): readonly string[] {
  const isOld = generated !== undefined && encryptionKey !== undefined && encryptionKey !== generated;
  return isOld && !encryptionKeysOld.includes(generated) ? [...encryptionKeysOld, generated] : encryptionKeysOld;
}
