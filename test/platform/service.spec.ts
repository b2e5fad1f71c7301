import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchdPlist } from '../../src/platform/service/launchd-plist';
import { ServiceInstallation } from '../../src/platform/service/service-installation';
import type { Ran, ServiceMachine } from '../../src/platform/service/service-machine';
import type { ServicePlan } from '../../src/platform/service/service-plan';
import { systemdUnit } from '../../src/platform/service/systemd-unit';

const PLAN: ServicePlan = {
  node: '/opt/node/bin/node',
  project: '/srv/horarium',
  dataFolder: '/srv/data',
  settingsFile: '/etc/horarium/horarium.env',
  path: '/usr/local/bin:/usr/bin',
  home: '/root',
  stopWithinSeconds: 60,
};
const ROOT = { root: true, user: 'root', configFolder: '/root/.config' };
const lines = (text: string) => text.split('\n');

describe('the systemd unit', () => {
  it('names the program and the folders absolutely, and leaves the stopping to the server', () => {
    const { file, text } = systemdUnit(PLAN, ROOT);
    expect(file).toBe('/etc/systemd/system/horarium.service');
    expect(lines(text)).toEqual(
      expect.arrayContaining([
        'ExecStart="/opt/node/bin/node" "--max-old-space-size=1024" "/srv/horarium/dist/main.js"',
        'WorkingDirectory=/srv/horarium',
        'Environment="HORARIUM_DATA_DIR=/srv/data"',
        'Environment="PATH=/usr/local/bin:/usr/bin"',
        'Environment="HOME=/root"',
        'EnvironmentFile=-/etc/horarium/horarium.env',
        'KillMode=mixed',
        'TimeoutStopSec=60',
        'Restart=on-failure',
        'WantedBy=multi-user.target',
      ]),
    );
  });

  it('is a user unit for an ordinary user, who has to be told to linger', () => {
    const unit = systemdUnit(PLAN, { root: false, user: 'alice', configFolder: '/home/alice/.config' });
    expect(unit.file).toBe('/home/alice/.config/systemd/user/horarium.service');
    expect(unit.start).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now horarium',
      'loginctl enable-linger alice',
    ]);
    expect(unit.text).toContain('WantedBy=default.target');
    expect(unit.text).not.toContain('HOME=');
  });

  it('takes blanks, quotes, percent and dollar signs in paths for what they are', () => {
    const { text } = systemdUnit({ ...PLAN, project: '/srv/a b"c%d$e\\f', dataFolder: '/d/100%' }, ROOT);
    expect(lines(text)).toEqual(
      expect.arrayContaining([
        'ExecStart="/opt/node/bin/node" "--max-old-space-size=1024" "/srv/a b\\"c%%d$$e\\\\f/dist/main.js"',
        'WorkingDirectory=/srv/a b"c%%d$e\\f',
        'Environment="HORARIUM_DATA_DIR=/d/100%%"',
      ]),
    );
  });
});

describe('the launchd file', () => {
  it('names the program absolutely, and escapes what XML does not take', () => {
    const { file, text, start } = launchdPlist(
      { ...PLAN, project: '/Users/a/R&D <x>', home: '/Users/a' },
      { root: false, uid: 501, home: '/Users/a' },
    );
    expect(file).toBe('/Users/a/Library/LaunchAgents/dev.horarium.server.plist');
    expect(text).toContain('<string>/Users/a/R&amp;D &lt;x&gt;/dist/main.js</string>');
    expect(text).toContain('<string>--max-old-space-size=1024</string>');
    expect(text).toContain('<string>--env-file=/etc/horarium/horarium.env</string>');
    expect(start[0]).toBe(`launchctl bootstrap gui/501 ${file}`);
  });
});

describe('installing the service', () => {
  let folder: string;
  let ran: string[][];
  let answer: Ran;

  const installation = (more: Partial<ServiceMachine> = {}) => {
    const machine: ServiceMachine = {
      platform: 'linux',
      node: '/opt/node/bin/node',
      project: join(folder, 'project'),
      uid: 1_000,
      user: 'alice',
      home: folder,
      configFolder: join(folder, 'config'),
      path: '/usr/bin',
      run: (program, args) => {
        ran.push([program, ...args]);
        return Promise.resolve(answer);
      },
      ...more,
    };
    return new ServiceInstallation(machine, { dataFolder: join(folder, 'data'), shutdownDeadlineSeconds: 30 });
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'horarium-service-'));
    mkdirSync(join(folder, 'project', 'dist'), { recursive: true });
    writeFileSync(join(folder, 'project', 'dist', 'main.js'), '');
    ran = [];
    answer = { code: 3, output: 'inactive' };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the unit and a settings file for the owner alone, says what comes next, and starts nothing', async () => {
    const installed = await installation().install();
    expect(readFileSync(installed.file, 'utf8')).toBe(installation().definition().text);
    expect(statSync(installed.file).mode & 0o777).toBe(0o644);
    expect(statSync(installed.settings_file).mode & 0o777).toBe(0o600);
    expect(installed.next).toContain('loginctl enable-linger alice');
    expect(installed.missing).toBeNull();
    expect(ran).toEqual([['systemctl', '--user', 'is-active', 'horarium.service']]);
  });

  it('keeps the settings of an earlier installation', async () => {
    const { settings_file } = await installation().install();
    writeFileSync(settings_file, 'PORT=4000\n');
    await installation().install();
    expect(readFileSync(settings_file, 'utf8')).toBe('PORT=4000\n');
  });

  it('says what is missing in a container without systemd, and writes the file all the same', async () => {
    answer = { missing: 'spawn systemctl ENOENT' };
    const installed = await installation().install();
    expect(installed.missing).toContain('container');
    expect(existsSync(installed.file)).toBe(true);
    expect(await installation().status()).toMatchObject({ installed: true, outdated: false, state: 'unknown' });
    answer = { code: 1, output: 'System has not been booted with systemd as init system (PID 1). Can not operate.' };
    expect((await installation().status()).missing).toContain('does not run this machine');
    answer = { code: 1, output: 'Failed to connect to user scope bus via local transport: No medium found' };
    expect((await installation().status()).missing).toContain('log in directly');
  });

  it('tells an installed, an outdated and a running service apart', async () => {
    expect(await installation().status()).toMatchObject({ installed: false, outdated: false, state: 'inactive' });
    await installation().install();
    answer = { code: 0, output: 'active' };
    expect(await installation().status()).toMatchObject({ installed: true, outdated: false, state: 'active' });
    expect(await installation({ node: '/opt/newer/node' }).status()).toMatchObject({ outdated: true });
  });

  it('removes the unit, and leaves settings and data', async () => {
    const { file, settings_file } = await installation().install();
    mkdirSync(join(folder, 'data'));
    ran = [];
    answer = { code: 0, output: '' };
    const removed = await installation().remove();
    expect(removed).toEqual({ file, removed: true, problems: [], kept: [settings_file, join(folder, 'data')] });
    expect(ran).toEqual([
      ['systemctl', '--user', 'disable', '--now', 'horarium.service'],
      ['systemctl', '--user', 'daemon-reload'],
    ]);
    expect(existsSync(file)).toBe(false);
    expect((await installation().remove()).removed).toBe(false);
  });

  it('refuses a project that is not built, another system, and a path that no unit can hold', async () => {
    rmSync(join(folder, 'project', 'dist'), { recursive: true });
    await expect(installation().install()).rejects.toMatchObject({ code: 'platform.service-not-built' });
    expect(() => installation({ platform: 'win32' }).definition()).toThrow('this is win32');
    expect(() => installation({ path: '/a\nExecStart=/evil' }).definition()).toThrow('control character');
  });
});
