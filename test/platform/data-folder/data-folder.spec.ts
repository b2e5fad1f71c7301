import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionUrl, readAttachment, writeAttachment } from '../../../src/platform/data-folder/attachment';
import { DataFolder } from '../../../src/platform/data-folder/data-folder';
import { DataFolderUnusableError, NoServerRunningError } from '../../../src/platform/data-folder/errors';
import { FolderLock } from '../../../src/platform/data-folder/folder-lock';
import { ensureSecrets, readSecret } from '../../../src/platform/data-folder/secrets';
import { writeWhole } from '../../../src/platform/host/files';
import { removeScratch, scratchFolder } from '../../support/scratch';

afterAll(removeScratch);

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  let path: string;
  beforeEach(() => {
    path = join(scratchFolder(), 'some', 'where');
  });

  it('is made with its modes, whatever the umask', () => {
    for (const umask of [0o000, 0o077]) {
      const before = process.umask(umask);
      try {
        const folder = DataFolder.open(join(path, String(umask)));
        ensureSecrets(folder);
        writeWhole(folder.operatorToken, 'token\n');
        expect(mode(folder.path)).toBe('755');
        expect(mode(folder.secrets)).toBe('700');
        expect(mode(folder.operatorToken)).toBe('600');
        for (const name of readdirSync(folder.secrets)) expect(mode(join(folder.secrets, name))).toBe('600');
      } finally {
        process.umask(before);
      }
    }
  });

  it('closes secrets that somebody opened', () => {
    const folder = DataFolder.open(path);
    chmodSync(folder.secrets, 0o755);
    DataFolder.open(path);
    expect(mode(folder.secrets)).toBe('700');
  });

  it('is closed to those who could put secrets of their own there; a folder for everybody is refused', () => {
    const folder = DataFolder.open(path);
    chmodSync(folder.path, 0o777);
    DataFolder.open(path);
    expect(mode(folder.path)).toBe('755');
    chmodSync(folder.path, 0o1777);
    expect(() => DataFolder.open(path)).toThrow('everybody may write to it. Set HORARIUM_DATA_DIR');
    expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
  });

  it('is one and the same behind a link', () => {
    const folder = DataFolder.open(path);
    const link = join(scratchFolder(), 'link');
    symlinkSync(path, link);
    expect(DataFolder.open(link).path).toBe(folder.path);
    expect(DataFolder.at(link).path).toBe(folder.path);
  });

  it('says what is wrong when it cannot be used', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    for (const wrong of [file, join(file, 'below')]) {
      expect(() => DataFolder.open(wrong)).toThrow(DataFolderUnusableError);
      expect(() => DataFolder.open(wrong)).toThrow('is not a folder');
    }
    expect(() => DataFolder.open('/proc/horarium')).toThrow('Set HORARIUM_DATA_DIR');
  });

  it('makes its secrets once', () => {
    const folder = DataFolder.open(path);
    expect(readSecret(folder, 'jwtSecret')).toBeUndefined();
    const made = ensureSecrets(folder);
    expect(new Set(Object.values(made)).size).toBe(4);
    for (const secret of Object.values(made)) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(ensureSecrets(folder)).toEqual(made);
    expect(readSecret(folder, 'jwtSecret')).toBe(made.jwtSecret);
  });

  it('never replaces a damaged secret, since what was encrypted with it would be lost', () => {
    const folder = DataFolder.open(path);
    writeFileSync(join(folder.secrets, 'encryption-key'), '');
    expect(() => ensureSecrets(folder)).toThrow('encryption-key is damaged');
    expect(readFileSync(join(folder.secrets, 'encryption-key'), 'utf8')).toBe('');
  });

  it('replaces a file in one step and leaves no draft when it cannot', () => {
    mkdirSync(path, { recursive: true });
    const file = join(path, 'file');
    writeWhole(file, 'one', 0o644);
    writeWhole(file, 'two');
    expect([readFileSync(file, 'utf8'), mode(file)]).toEqual(['two', '600']);
    mkdirSync(join(path, 'folder', 'full'), { recursive: true });
    expect(() => writeWhole(join(path, 'folder'), 'three')).toThrow();
    expect(readdirSync(path).sort()).toEqual(['file', 'folder']);
  });
});

describe('attaching to a running server', () => {
  const attachment = {
    host: '127.0.0.1',
    port: 5433,
    database: 'horarium',
    owner: { user: 'horarium_owner', password: 'o/w n' },
    login: { user: 'horarium_login', password: 'l' },
  };

  it('gives both connections while the server lives', async () => {
    const folder = DataFolder.open(join(scratchFolder(), 'data'));
    const lock = await FolderLock.acquire(folder);
    await expect(readAttachment(folder)).rejects.toThrow('still starting');
    writeAttachment(folder, attachment);
    expect(mode(folder.attachment)).toBe('600');
    const read = await readAttachment(DataFolder.at(folder.path));
    expect(read).toEqual(attachment);
    expect(connectionUrl(read, 'login')).toBe('postgres://horarium_login:l@127.0.0.1:5433/horarium');
    expect(new URL(connectionUrl(read, 'owner')).password).toBe('o%2Fw%20n');
    lock.release();
  });

  it('says so when no server runs, even when a killed one left its note', async () => {
    const folder = DataFolder.open(join(scratchFolder(), 'data'));
    writeAttachment(folder, attachment);
    await expect(readAttachment(folder)).rejects.toBeInstanceOf(NoServerRunningError);
    await expect(readAttachment(DataFolder.at('/nowhere'))).rejects.toThrow('No Horarium server is running');
  });
});
