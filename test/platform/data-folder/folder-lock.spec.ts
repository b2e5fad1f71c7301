import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '../../../src/platform/data-folder/data-folder';
import { DataFolderInUseError } from '../../../src/platform/data-folder/errors';
import { FolderLock, lockHolder } from '../../../src/platform/data-folder/folder-lock';
import { ownIdentity } from '../../../src/platform/host/processes';
import { HouseProcess } from '../../support/house-process';
import { removeScratch, scratchFolder } from '../../support/scratch';

afterAll(removeScratch);

const record = (more: object): string =>
  JSON.stringify({ ...ownIdentity(), id: 'earlier', host: 'elsewhere', socket: null, ...more });

describe('the lock of a data folder', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = DataFolder.open(join(scratchFolder(), 'data'));
  });

  it('is held until it is released, and leaves nothing behind', async () => {
    const lock = await FolderLock.acquire(folder);
    expect((await lockHolder(folder))?.pid).toBe(process.pid);
    lock.release();
    expect(await lockHolder(folder)).toBeUndefined();
    expect(readdirSync(folder.path)).toEqual(['secrets']);
  });

  it('refuses a second holder and says who the first is', async () => {
    const lock = await FolderLock.acquire(folder);
    const refused = FolderLock.acquire(folder);
    await expect(refused).rejects.toBeInstanceOf(DataFolderInUseError);
    await expect(refused).rejects.toThrow(`data folder ${folder.path}: process ${process.pid}.`);
    // The refused attempt took nothing away.
    expect((await lockHolder(folder))?.pid).toBe(process.pid);
    lock.release();
  });

  it('is given back by a process that exits, and taken from one that was killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const other = await HouseProcess.begin(folder.path);
      try {
        expect(await other.order('lock')).toMatchObject({ ok: true });
        expect((await lockHolder(folder))?.pid).toBe(other.pid);
        await expect(FolderLock.acquire(folder)).rejects.toThrow(`process ${other.pid}`);
      } finally {
        await other.end(signal);
      }
      expect(await lockHolder(folder)).toBeUndefined();
      (await FolderLock.acquire(folder)).release();
      expect(readdirSync(folder.path)).toEqual(['secrets']);
    }
  });

  it('is not taken from a process that is stopped', async () => {
    const other = await HouseProcess.begin(folder.path);
    try {
      await other.order('lock');
      process.kill(other.pid, 'SIGSTOP');
      await expect(FolderLock.acquire(folder)).rejects.toBeInstanceOf(DataFolderInUseError);
    } finally {
      await other.end();
    }
  });

  it('is taken from a process whose id is now another’s, and after a reboot', async () => {
    for (const stale of [{ started: 'long ago' }, { boot: 'an earlier one' }]) {
      writeFileSync(folder.lock, record(stale));
      (await FolderLock.acquire(folder)).release();
    }
  });

  it('is taken when the file is damaged', async () => {
    for (const damaged of ['', '{"pid":', '[]']) {
      writeFileSync(folder.lock, damaged);
      (await FolderLock.acquire(folder)).release();
    }
  });

  it('believes the socket across containers, where process ids tell nothing', async () => {
    const elsewhere = { namespace: 'pid:[1]', pid: 1 };
    const other = await HouseProcess.begin(folder.path);
    await other.order('lock');
    const { socket } = JSON.parse(readFileSync(folder.lock, 'utf8')) as { socket: string };
    writeFileSync(folder.lock, record({ ...elsewhere, socket }));
    await expect(FolderLock.acquire(folder)).rejects.toThrow('another container (elsewhere)');

    // Killed: the kernel closed the socket, its file stayed.
    await other.end('SIGKILL');
    expect(existsSync(join(folder.path, socket))).toBe(true);
    (await FolderLock.acquire(folder)).release();
  });

  it('stays held when it cannot be told whether its holder lives, and says how to remove it', async () => {
    writeFileSync(folder.lock, record({ namespace: 'pid:[1]', pid: 1 }));
    await expect(FolderLock.acquire(folder)).rejects.toThrow(`remove ${folder.lock}`);
  });

  it('works below a path that is too long for a socket', async () => {
    const deep = DataFolder.open(join(scratchFolder(), 'x'.repeat(100), 'y'.repeat(100), 'data'));
    const other = await HouseProcess.begin(deep.path);
    await other.order('lock');
    writeFileSync(deep.lock, readFileSync(deep.lock, 'utf8').replace(ownIdentity().namespace, 'pid:[1]'));
    await expect(FolderLock.acquire(deep)).rejects.toBeInstanceOf(DataFolderInUseError);
    await other.end();
    (await FolderLock.acquire(deep)).release();
  });

  it('goes to exactly one of several that start at once, also when all find the same stale lock', async () => {
    const starters = await Promise.all([1, 2, 3].map(() => HouseProcess.begin(folder.path)));
    try {
      for (let round = 0; round < 40; round++) {
        if (round % 2 === 0) writeFileSync(folder.lock, record({ started: 'long ago', id: `stale-${round}` }));
        const answers = await Promise.all(starters.map((starter) => starter.order('lock')));
        expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
        const winner = starters[answers.findIndex(({ ok }) => ok)]!;
        expect((await lockHolder(folder))?.pid).toBe(winner.pid);
        for (const { ok, code } of answers) if (!ok) expect(code).toBe('data-folder.in-use');
        await winner.order('unlock');
      }
      expect(readdirSync(folder.path)).toEqual(['secrets']);
    } finally {
      await Promise.all(starters.map((starter) => starter.end()));
    }
  });

  it('is not lost to a starter that was killed while taking over', async () => {
    writeFileSync(folder.lock, record({ started: 'long ago', id: 'stale' }));
    writeFileSync(`${folder.lock}.stale`, record({ started: 'long ago', id: 'killed-in-between' }));
    (await FolderLock.acquire(folder)).release();
    expect(readdirSync(folder.path)).toEqual(['secrets']);
  });
});
