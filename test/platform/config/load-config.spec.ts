import { resolve } from 'node:path';
import { Config } from '../../../src/platform/config/config';
import { ConfigInvalidError, loadConfig } from '../../../src/platform/config/load-config';
import { settingsOf } from '../../../src/platform/config/setting';
import { unknownSettings } from '../../../src/platform/config/unknown-settings';

const load = (env: Record<string, string | undefined> = {}, machineTimezone = 'Europe/Berlin'): Config =>
  loadConfig(env, { machineTimezone });

function problems(env: Record<string, string>): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error.problems;
    throw error;
  }
  return [];
}

const SECRET = 'correct-horse-battery-staple-0123456789';
const OWN_SERVER = {
  DATABASE_URL: 'postgres://horarium:hunter2@db.example.org/horarium',
  HORARIUM_JWT_SECRET: SECRET,
  HORARIUM_ENCRYPTION_KEY: SECRET,
};

describe('what there is without any variable', () => {
  it.each([
    ['dataDir', resolve('.horarium')],
    ['host', '127.0.0.1'],
    ['port', 3000],
    ['publicUrl', 'http://127.0.0.1:3000'],
    ['trustedProxies', undefined],
    ['maxBodyKib', 256],
    ['logLevel', 'info'],
    ['shutdownDeadlineSeconds', 30],
    ['databaseUrl', undefined],
    ['jwtSecret', undefined],
    ['defaultTimezone', 'Europe/Berlin'],
    ['schedulePollIntervalSeconds', 5],
    ['scheduleLeaseSeconds', 120],
    ['scheduleMaxConcurrentRuns', 10],
    ['scheduleMinOnceDelaySeconds', 60],
    ['scheduleLaunchUnknownDeadlineSeconds', 900],
    ['workspaceRoots', []],
  ] as const)('%s is %j', (property, value) => {
    expect(load()[property]).toEqual(value);
  });

  it('an empty or blank variable counts as absent', () => {
    expect(load({ PORT: '', HOST: '  ' })).toEqual(load());
  });

  it('a machine without a usable zone works in UTC', () => {
    expect(load({}, 'Etc/Unknown').defaultTimezone).toBe('UTC');
  });

  it('the public address follows host and port, and names what a browser can reach', () => {
    expect(load({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(load({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
  });

  it('cannot be changed afterwards', () => {
    expect(() => Object.assign(load(), { port: 1 })).toThrow(TypeError);
  });
});

describe('values that are taken', () => {
  it.each([
    ['PORT', '0', 'port', 0],
    ['PUBLIC_URL', 'https://horarium.example.org/', 'publicUrl', 'https://horarium.example.org'],
    ['HORARIUM_TRUSTED_PROXIES', '2', 'trustedProxies', 2],
    ['HORARIUM_TRUSTED_PROXIES', '10.0.0.0/8, ::1,loopback', 'trustedProxies', ['10.0.0.0/8', '::1', 'loopback']],
    ['HORARIUM_DEFAULT_TIMEZONE', 'Asia/Kolkata', 'defaultTimezone', 'Asia/Kolkata'],
    ['HORARIUM_DEFAULT_TIMEZONE', 'UTC', 'defaultTimezone', 'UTC'],
    ['HORARIUM_WORKSPACE_ROOTS', '/srv/a:/srv/b/', 'workspaceRoots', ['/srv/a', '/srv/b']],
    ['HORARIUM_ASSISTANTS_FILE', 'assistants.yaml', 'assistantsFile', resolve('assistants.yaml')],
    ['SCHEDULE_MAX_CONCURRENT_RUNS', '100000', 'scheduleMaxConcurrentRuns', 100_000],
  ] as const)('%s=%s', (env, text, property, value) => {
    expect(load({ [env]: text })[property]).toEqual(value);
  });
});

describe('values that stop the start', () => {
  it.each([
    ['PORT', 'abc', 'PORT: given is a text of 3 characters, "abc"; allowed: a whole number from 0 to 65,535'],
    ['PORT', '65536', 'PORT: given is a whole number, "65536"; allowed: a whole number from 0 to 65,535'],
    ['PORT', '1.5', 'PORT: given is a number with a fraction, "1.5"; allowed: a whole number from 0 to 65,535'],
    ['PORT', '0x10', 'PORT: given is a text of 4 characters, "0x10"; allowed: a whole number from 0 to 65,535'],
    ['SCHEDULE_MAX_CONCURRENT_RUNS', '0', expect.stringContaining('a whole number from 1 to 100,000')],
    ['SCHEDULE_MAX_CONCURRENT_RUNS', '100001', expect.stringContaining('a whole number from 1 to 100,000')],
    ['SCHEDULE_LEASE_SECONDS', '-1', expect.stringContaining('given is a whole number, "-1"')],
    ['HORARIUM_LOG_LEVEL', 'loud', expect.stringContaining('`trace`, `debug`, `info`')],
    ['HORARIUM_DEFAULT_TIMEZONE', 'Mars/Olympus', expect.stringContaining('an IANA time zone')],
    ['HORARIUM_DEFAULT_TIMEZONE', 'europe/berlin', expect.stringContaining('exact spelling')],
    ['HORARIUM_DEFAULT_TIMEZONE', 'CET', expect.stringContaining('an IANA time zone')],
    ['HORARIUM_DEFAULT_TIMEZONE', 'EST5EDT', expect.stringContaining('an IANA time zone')],
    ['HORARIUM_DEFAULT_TIMEZONE', '+02:00', expect.stringContaining('an IANA time zone')],
    ['PUBLIC_URL', 'https://example.org/horarium', expect.stringContaining('without path')],
    ['PUBLIC_URL', 'example.org', expect.stringContaining('http:// or https://')],
    ['HOST', 'http://localhost', expect.stringContaining('a host name or an IP address')],
    ['HORARIUM_TRUSTED_PROXIES', 'everyone', expect.stringContaining('loopback')],
    ['HORARIUM_TRUSTED_PROXIES', '10.0.0.0/33', expect.stringContaining('networks')],
    ['HORARIUM_AGENT_USER', 'root', expect.stringContaining('other than root')],
    ['HORARIUM_WORKSPACE_ROOTS', 'relative/path', expect.stringContaining('absolute paths')],
    [
      'DATABASE_URL',
      'mysql://db/horarium',
      'DATABASE_URL: given is a URL; allowed: a URL beginning with postgres:// or postgresql://',
    ],
  ])('%s=%s', (env, text, message) => {
    expect(problems({ [env]: text })).toEqual([message]);
  });

  it('are named all at once', () => {
    const found = problems({ PORT: 'abc', HOST: 'not a host', HORARIUM_LOG_LEVEL: 'loud' });
    expect(found.map((problem) => problem.split(':')[0])).toEqual(['HOST', 'PORT', 'HORARIUM_LOG_LEVEL']);
    expect(() => load({ PORT: 'abc' })).toThrow(/^A setting is wrong:\n {2}PORT: /);
  });

  it('never show what a secret is', () => {
    const found = problems({ HORARIUM_JWT_SECRET: 'hunter2', DATABASE_URL: 'http://u:hunter2@db', PORT: 'x' }).join();
    expect(found).toContain('HORARIUM_JWT_SECRET: given is a text of 7 characters; allowed: at least 32 characters');
    expect(found).not.toContain('hunter2');
  });
});

describe('rules between settings', () => {
  it.each([
    [
      'a lease outlasts a poll',
      { SCHEDULE_LEASE_SECONDS: '30', SCHEDULE_POLL_INTERVAL_SECONDS: '30' },
      /^SCHEDULE_LEASE_SECONDS must/,
    ],
    [
      'an unknown launch is not given up before its lease',
      { SCHEDULE_LAUNCH_UNKNOWN_DEADLINE_SECONDS: '60' },
      /^SCHEDULE_LAUNCH_UNKNOWN_DEADLINE_SECONDS must/,
    ],
    ['migrations need a database', { DATABASE_MIGRATION_URL: 'postgres://db/x' }, /^DATABASE_MIGRATION_URL needs/],
    ["a database of one's own needs keys of one's own", { ...OWN_SERVER, HORARIUM_JWT_SECRET: '' }, /JWT_SECRET or/],
    [
      "a database of one's own needs an encryption key",
      { ...OWN_SERVER, HORARIUM_ENCRYPTION_KEY: '' },
      /ENCRYPTION_KEY/,
    ],
    ['public keys need issuer and audience', { HORARIUM_JWT_JWKS_URL: 'https://id.example.org/keys' }, /_ISSUER and/],
  ])('%s', (_, env, message) => {
    expect(problems(env)).toEqual([expect.stringMatching(message)]);
  });

  it('a complete configuration of an own server passes', () => {
    expect(load(OWN_SERVER).databaseUrl).toBe(OWN_SERVER.DATABASE_URL);
  });
});

describe('variables that are no settings', () => {
  it('are warned about with the nearest name', () => {
    expect(unknownSettings({ HORARIUM_LOGLEVEL: 'debug', SCHEDULE_POLL_SECONDS: '1', PATH: '/bin' })).toEqual([
      'HORARIUM_LOGLEVEL is not a setting; did you mean HORARIUM_LOG_LEVEL?',
      'SCHEDULE_POLL_SECONDS is not a setting; did you mean SCHEDULE_LEASE_SECONDS?',
    ]);
  });

  it('known ones, and those the house tells its agents, are not', () => {
    const known = Object.fromEntries(settingsOf(Config).map(({ env }) => [env, 'x']));
    expect(unknownSettings({ ...known, HORARIUM_RUN_ID: 'task-run-1', HORARIUM_TRIGGER: 'manual' })).toEqual([]);
  });
});
