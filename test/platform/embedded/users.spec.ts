// Started as root, and as somebody else. The second needs a user to become, so both run as root only.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DataFolder } from '../../../src/platform/data-folder/data-folder';
import { findBinaries, reachablePrograms } from '../../../src/platform/embedded/binaries';
import { EmbeddedPostgres } from '../../../src/platform/embedded/embedded-postgres';
import { canEnter, hostUsers, isRoot } from '../../../src/platform/host/users';
import { HouseProcess } from '../../support/house-process';
import { removeScratch, scratchFolder } from '../../support/scratch';

jest.setTimeout(60_000);

const nobody = hostUsers().find(({ name }) => name === 'nobody');
const possible = isRoot() && nobody !== undefined && canEnter(__dirname, nobody);

(possible ? describe : describe.skip)('users', () => {
  afterAll(removeScratch);

  it('an ordinary user has all of it as its own, and cannot use the folder of another', async () => {
    const folder = scratchFolder();
    chownSync(folder, nobody!.uid, nobody!.gid);
    const data = join(folder, 'data');
    const house = await HouseProcess.begin(data, nobody);
    try {
      expect(await house.order('lock')).toMatchObject({ ok: true, uid: nobody!.uid });
      expect(await house.order('start')).toMatchObject({ ok: true });
      for (const name of ['', 'lock', 'secrets', 'postgres-18']) {
        expect(statSync(join(data, name)).uid).toBe(nobody!.uid);
      }
      expect(await house.order('stop')).toMatchObject({ ok: true });
    } finally {
      await house.end('SIGTERM');
    }

    // Root in the same folder keeps it usable for its owner.
    const server = await EmbeddedPostgres.start({
      folder: DataFolder.open(data).path,
      password: 'test',
      durable: false,
    });
    await server.stop();
    expect(statSync(server.cluster).uid).toBe(nobody!.uid);

    const daemon = hostUsers().find(({ name }) => name === 'daemon')!;
    const stranger = await HouseProcess.begin(data, daemon);
    try {
      const refused = await stranger.order('lock');
      expect(refused).toMatchObject({ ok: false, code: 'data-folder.unusable' });
      expect(refused.message).toContain('it belongs to nobody, and this process runs as daemon');
    } finally {
      await stranger.end();
    }
  });

  it('root below a closed home gives PostgreSQL a place outside, and finds it again', async () => {
    const closed = join(scratchFolder(), 'root');
    mkdirSync(closed, { mode: 0o700 });
    const outside = join(scratchFolder(), 'horarium');
    const folder = DataFolder.open(join(closed, 'data')).path;
    const start = () => EmbeddedPostgres.start({ folder, password: 'test', durable: false, outside });
    const first = await start();
    await first.stop();
    const home = readlinkSync(join(folder, 'outside'));
    expect(first.cluster).toBe(join(home, 'postgres-18'));
    expect(home.startsWith(outside)).toBe(true);
    const second = await start();
    await second.stop();
    expect(second.cluster).toBe(first.cluster);
    expect(readdirSync(outside)).toHaveLength(1);

    // The database is gone: say so, rather than begin an empty one.
    rmSync(home, { recursive: true });
    await expect(start()).rejects.toThrow('leads to a folder that is gone');
  });

  it('programs that the user cannot reach are copied once, whole, and open to all', () => {
    const original = dirname(findBinaries(undefined, '/nowhere').path);
    const closed = join(scratchFolder(), 'root', 'native');
    cpSync(original, closed, { recursive: true, verbatimSymlinks: true });
    for (const path of [dirname(closed), closed, join(closed, 'bin')]) chmodSync(path, 0o700);
    const link = readdirSync(join(closed, 'lib')).find((name) =>
      lstatSync(join(closed, 'lib', name)).isSymbolicLink(),
    )!;
    rmSync(join(closed, 'lib', link));

    const copies = join(scratchFolder(), 'horarium');
    const found = reachablePrograms({ native: closed, version: '18.0.0' }, nobody, copies);
    expect(dirname(dirname(found))).toBe(copies);
    expect(canEnter(found, nobody!)).toBe(true);
    expect(existsSync(join(found, '..', 'lib', link))).toBe(true);
    expect(spawnSync(join(found, 'postgres'), ['--version'], { uid: nobody!.uid, cwd: '/' }).status).toBe(0);
    const { ino } = statSync(found);
    expect(statSync(reachablePrograms({ native: closed, version: '18.0.0' }, nobody, copies)).ino).toBe(ino);
    expect(readdirSync(copies)).toHaveLength(1);
  });
});
