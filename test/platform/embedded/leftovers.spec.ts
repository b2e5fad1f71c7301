import { chownSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../../src/platform/embedded/embedded-postgres';
import { isAlive, processesIn } from '../../../src/platform/host/processes';
import { isRoot } from '../../../src/platform/host/users';
import { HouseProcess } from '../../support/house-process';
import { removeScratch, scratchFolder } from '../../support/scratch';

jest.setTimeout(60_000);

describe('what an earlier start left behind', () => {
  let folder: string;
  let cluster: string;
  const started: EmbeddedPostgres[] = [];
  const start = async (): Promise<EmbeddedPostgres> => {
    const server = await EmbeddedPostgres.start({ folder, password: 'test', durable: false });
    started.push(server);
    return server;
  };

  beforeAll(async () => {
    folder = scratchFolder();
    cluster = join(folder, 'postgres-18');
    await (await start()).stop();
  });
  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop();
  });
  afterAll(removeScratch);

  it('a server orphaned by a kill -9 of the house is stopped, and a new one started', async () => {
    const house = await HouseProcess.begin(folder);
    const { postgres } = await house.order('start');
    await house.end('SIGKILL');
    expect(isAlive(postgres!)).toBe(true);
    const server = await start();
    expect(isAlive(postgres!)).toBe(false);
    expect(isAlive(server.pid!)).toBe(true);
  });

  it('an orphan is found although the folder was moved under it', async () => {
    const house = await HouseProcess.begin(folder);
    const { postgres } = await house.order('start');
    await house.end('SIGKILL');
    const before = folder;
    folder = `${folder}-moved`;
    renameSync(before, folder);
    try {
      await (await start()).stop();
      expect(isAlive(postgres!)).toBe(false);
    } finally {
      renameSync(folder, before);
      folder = before;
    }
  });

  it('a server goes with a house that ends by an error of its own', async () => {
    const house = await HouseProcess.begin(folder);
    const { postgres } = await house.order('start');
    const stopped = new Promise<void>((resolve) => {
      const watcher = watch(cluster, (event, name) => {
        if (name !== 'postmaster.pid' || existsSync(join(cluster, name))) return;
        watcher.close();
        resolve();
      });
    });
    await house.fail();
    await stopped;
    await start();
    expect(isAlive(postgres!)).toBe(false);
  });

  it('backends without a server are ended', async () => {
    const house = await HouseProcess.begin(folder);
    const { postgres } = await house.order('start');
    // The house cannot start it anew, nor even notice.
    process.kill(house.pid, 'SIGSTOP');
    try {
      process.kill(postgres!, 'SIGKILL');
      const server = await start();
      expect(processesIn(cluster) ?? [server.pid]).toContain(server.pid);
    } finally {
      await house.end('SIGKILL');
    }
  });

  it.each([
    ['of a process that is gone', () => '999999999\n'],
    ['of a process that is not PostgreSQL', () => `${process.pid}\n`],
    ['of process 1', () => '1\n'],
    ['that is empty', () => ''],
    ['of nonsense', () => 'nonsense\n'],
  ])('a pid file %s is no obstacle', async (_, content) => {
    const file = join(cluster, 'postmaster.pid');
    writeFileSync(file, content(), { mode: 0o600 });
    chownSync(file, statSync(cluster).uid, statSync(cluster).gid);
    await start();
  });

  it('an interrupted initdb is begun anew, and what it left is removed', async () => {
    const other = scratchFolder();
    mkdirSync(join(other, 'init-aB3dE6', 'cluster', 'base'), { recursive: true });
    writeFileSync(join(other, 'init-aB3dE6', 'password'), 'x');
    const home = folder;
    folder = other;
    try {
      await (await start()).stop();
      expect(readdirSync(other)).toEqual(['postgres-18']);
      // Half a cluster under the final name, as a copy that was cut off leaves it: set aside, not thrown away.
      rmSync(join(other, 'postgres-18', 'PG_VERSION'));
      await (await start()).stop();
      expect(readdirSync(other).some((name) => name.startsWith('postgres-18.unusable-'))).toBe(true);
    } finally {
      folder = home;
    }
  });

  it('a house killed in the middle of its first start does not hinder the next', async () => {
    const other = scratchFolder();
    const house = await HouseProcess.begin(other);
    void house.order('start').catch(() => undefined);
    await new Promise<void>((resolve) => {
      const watcher = watch(other, (_, name) => {
        if (!name?.startsWith('init-')) return;
        watcher.close();
        resolve();
      });
    });
    await house.end('SIGKILL');
    const home = folder;
    folder = other;
    try {
      await (await start()).stop();
      expect(readdirSync(other).filter((name) => name !== 'secrets')).toEqual(['postgres-18']);
    } finally {
      folder = home;
    }
  });

  it('a cluster of another major version is not passed over in silence', async () => {
    const other = scratchFolder();
    cpSync(join(cluster, 'PG_VERSION'), join(other, 'postgres-17', 'PG_VERSION'), { recursive: true });
    await expect(EmbeddedPostgres.start({ folder: other, password: 'test' })).rejects.toThrow(
      'holds a database of PostgreSQL 17; this Horarium brings PostgreSQL 18',
    );
    expect(existsSync(join(other, 'postgres-18'))).toBe(false);
  });

  (isRoot() ? it : it.skip)('a cluster that belongs to root is refused with the command that mends it', async () => {
    const other = scratchFolder();
    mkdirSync(join(other, 'postgres-18'));
    writeFileSync(join(other, 'postgres-18', 'PG_VERSION'), '18\n');
    chownSync(join(other, 'postgres-18'), 0, 0);
    await expect(EmbeddedPostgres.start({ folder: other, password: 'test' })).rejects.toThrow(
      /belongs to root, which PostgreSQL cannot run as\. .*chown -R \w+ /,
    );
  });
});
