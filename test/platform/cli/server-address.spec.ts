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
  ])('to %s: %s, %s', (serverUrl, url, sent) => {
    const found = apiSettings({ ...settings, ...(serverUrl === undefined ? {} : { serverUrl }) });
    expect([found.url, found.tokenFile !== undefined]).toEqual([url, sent]);
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
