import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { systemActor } from '../../../src/kernel/actor';
import { readAttachment } from '../../../src/platform/data-folder/attachment';
import { DataFolder } from '../../../src/platform/data-folder/data-folder';
import { FolderLock } from '../../../src/platform/data-folder/folder-lock';
import { ensureSecrets } from '../../../src/platform/data-folder/secrets';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../../src/platform/embedded/embedded-database';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source-options';
import { Sessions } from '../../../src/platform/persistence/sessions';
import { removeScratch, scratchFolder } from '../../support/scratch';

jest.setTimeout(60_000);

describe('the database of a house that has none of its own', () => {
  let folder: DataFolder;
  let lock: FolderLock;
  let database: EmbeddedDatabase | undefined;
  const start = async (): Promise<EmbeddedDatabase> => {
    database = await startEmbeddedDatabase(folder, ensureSecrets(folder));
    return database;
  };

  beforeAll(async () => {
    folder = DataFolder.open(join(scratchFolder(), 'data'));
    lock = await FolderLock.acquire(folder);
  });
  afterAll(async () => {
    await database?.stop();
    lock.release();
    removeScratch();
  });

  it('is there with all tables at the first start, and with its rows at the second', async () => {
    const first = await start();
    expect(first.migrations).not.toHaveLength(0);
    await insertTenant(first.url);
    const { port } = await readAttachment(folder);
    expect(port).toBe(first.server.port);
    await first.stop();
    expect(existsSync(folder.attachment)).toBe(false);

    const second = await start();
    expect(second.migrations).toEqual([]);
    await expect(insertTenant(second.url)).rejects.toThrow(/uq_tenants_name/);
  });

  it('is worked with as a role that by itself may do nothing, and can become no other than the application', async () => {
    const login = new Client({ connectionString: database!.url });
    await login.connect();
    try {
      await expect(login.query('select * from tenants')).rejects.toMatchObject({ code: '42501' });
      await expect(login.query('create table public.mine (id integer)')).rejects.toMatchObject({ code: '42501' });
      await expect(login.query('set role horarium_owner')).rejects.toMatchObject({ code: '42501' });
      await login.query('set role horarium_app');
      expect((await login.query('select * from tenants')).rows).toEqual([]);
    } finally {
      await login.end();
    }
  });
});

async function insertTenant(url: string): Promise<void> {
  const source = await new DataSource(dataSourceOptions({ url, poolSize: 1 })).initialize();
  try {
    await new Sessions(source).run(systemActor('test'), (tx) =>
      tx.query("insert into tenants (name, created_at) values ('kept', horarium_now())"),
    );
  } finally {
    await source.destroy();
  }
}
