// Test support. A database of its own for a spec file: cloned from the run's migrated template, dropped at the end.
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/persistence/data-source-options';
import { Sessions } from '../../src/platform/persistence/sessions';
import { dropDatabase } from './drop-database';
import { testServerAddress, withCredentials, withDatabase } from './test-server-address';

export interface TestDatabase {
  readonly name: string;
  /** As the login role, which is neither owner nor superuser: what the house works with. */
  readonly url: string;
  /** As the owner: what migrations run with (DATABASE_MIGRATION_URL). */
  readonly ownerUrl: string;
  readonly source: DataSource;
  readonly sessions: Sessions;
  /** A connection of the owner that sees and writes every tenant's rows. */
  readonly admin: Client;
  close(): Promise<void>;
}

export async function testDatabase({ poolSize = 10 }: { poolSize?: number } = {}): Promise<TestDatabase> {
  const { ownerUrl: serverUrl, template, login } = testServerAddress();
  const name = `${template}_${process.pid}_${randomBytes(4).toString('hex')}`;
  // FILE_COPY takes a quarter of the time that the default takes for a database of this size.
  const clone = `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`;
  await onServer(serverUrl, (owner) => owner.query(clone));
  const ownerUrl = withDatabase(serverUrl, name);
  const url = withCredentials(ownerUrl, login);
  const admin = new Client({ connectionString: ownerUrl });
  const source = new DataSource(dataSourceOptions({ url, poolSize }));
  const sessions = new Sessions(source);
  const close = async (): Promise<void> => {
    await sessions.hangUp();
    if (source.isInitialized) await source.destroy();
    await admin.end();
    await onServer(serverUrl, (owner) => dropDatabase(owner, name));
  };
  try {
    await admin.connect();
    // An owner that is no superuser is held by the policies, too: they are forced.
    await admin.query("select set_config('app.is_super_admin', 't', false)");
    await source.initialize();
    return { name, url, ownerUrl, source, sessions, admin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function onServer(url: string, work: (owner: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
