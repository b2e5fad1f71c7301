import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolder } from '../../../src/platform/data-folder/data-folder';
import { FolderLock } from '../../../src/platform/data-folder/folder-lock';
import { removeServerAddress, writeServerAddress } from '../../../src/platform/data-folder/server-address';
import { loadConfig } from '../../../src/platform/config/load-config';
import { apiSettings } from '../../../src/platform/cli/server-address';

describe('the operator token of this machine', () => {
  const settings = { host: '0.0.0.0', port: 3000, publicUrl: 'https://h.example', dataDir: '/data' };

  it.each([
    [undefined, 'http://127.0.0.1:3000', true],
    ['http://localhost:4000', 'http://localhost:4000', true],
    ['http://[::1]:4000', 'http://[::1]:4000', true],
    ['https://h.example', 'https://h.example', true],
    ['https://elsewhere.example/base', 'https://elsewhere.example/base', false],
    ['http://127.0.0.1.elsewhere.example', 'http://127.0.0.1.elsewhere.example', false],
  ])('to %s: %s, %s', async (serverUrl, url, sent) => {
    const found = await apiSettings({ ...settings, ...(serverUrl === undefined ? {} : { serverUrl }) });
    expect([found.url, found.tokenFile !== undefined]).toEqual([url, sent]);
  });
});

describe('without HORARIUM_URL', () => {
  const settings = { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000' };

  it('the server that holds the data folder is asked, on whatever port; one that was killed is not', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'horarium-address-'));
    const folder = DataFolder.open(dataDir);
    writeServerAddress(folder, 'http://127.0.0.1:4711');
    const found = async () => (await apiSettings({ ...settings, dataDir })).url;
    expect(await found()).toBe('http://127.0.0.1:3000');
    const lock = await FolderLock.acquire(folder);
    expect(await found()).toBe('http://127.0.0.1:4711');
    removeServerAddress(folder);
    expect(await found()).toBe('http://127.0.0.1:3000');
    lock.release();
    rmSync(dataDir, { recursive: true });
  });
});

it.each([
  ['http://h.example/', 'http://h.example'],
  ['https://h.example:8443/base/', 'https://h.example:8443/base'],
  ['https://user:secret@h.example', undefined],
  ['https://h.example?x', undefined],
  ['h.example', undefined],
])('HORARIUM_URL=%s', (HORARIUM_URL, url) => {
  const load = () => loadConfig({ HORARIUM_URL }, { machineTimezone: 'UTC' }).serverUrl;
  if (url === undefined) expect(load).toThrow('HORARIUM_URL');
  else expect(load()).toBe(url);
});

it.each(['two words', 'line\nbreak', 'ümlaut'])('HORARIUM_TOKEN=%j is refused, and not shown', (HORARIUM_TOKEN) => {
  const load = () => loadConfig({ HORARIUM_TOKEN }, { machineTimezone: 'UTC' });
  expect(load).toThrow(/HORARIUM_TOKEN: given is a text of \d+ characters; allowed/);
});
