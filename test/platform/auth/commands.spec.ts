import type { CommandRunner } from 'nest-commander';
import request from 'supertest';
import {
  ApiKeyCreateCommand,
  ApiKeyListCommand,
  ApiKeyRevokeCommand,
} from '../../../src/platform/auth/inbound/api-keys.cli';
import { TenantCreateCommand, TenantListCommand } from '../../../src/platform/auth/inbound/tenants.cli';
import { TokenCreateCommand } from '../../../src/platform/auth/inbound/tokens.cli';
import { type AuthApp, authApp } from './auth-app';

let house: AuthApp;
type Command = new (...needs: never[]) => CommandRunner;

async function run(command: Command, words: string[], options: Record<string, unknown> = {}) {
  house.terminal.clear();
  await house.app.get<CommandRunner>(command).run(words, options);
  const { stdout, stderr, code } = house.terminal;
  return { stdout, stderr, code };
}
const opens = async (credential: string) =>
  request(house.app.getHttpServer()).get('/api/doors/anyone').set('Authorization', `Bearer ${credential}`);

beforeAll(async () => {
  house = await authApp();
});
afterAll(() => house.close());

it('tenant create prints its number, tenant list shows it', async () => {
  const made = await run(TenantCreateCommand, ['Ácme "& Sons"']);
  expect(made).toEqual({ stdout: '2\n', stderr: '', code: 0 });
  const listed = await run(TenantListCommand, []);
  expect(listed.stdout).toMatch(
    /^id {2}name +created\n1 {3}default +\S+\n2 {3}Ácme "& Sons" +2026-11-30T12:00:00\+00:00\n$/,
  );
  const json = JSON.parse((await run(TenantListCommand, [], { json: true })).stdout) as unknown;
  expect(json).toEqual([
    { id: 1, name: 'default', created_at: expect.any(String) },
    { id: 2, name: 'Ácme "& Sons"', created_at: '2026-11-30T12:00:00+00:00' },
  ]);
});

it('a tenant’s name is taken once', async () => {
  expect(await run(TenantCreateCommand, ['default'])).toEqual({
    stdout: '',
    stderr: 'error: There is a tenant named "default" already.\n',
    code: 5,
  });
});

it('token create prints a token that works, and nothing else', async () => {
  const { stdout, stderr, code } = await run(TokenCreateCommand, [], {
    tenant: '1',
    user: 'alice',
    role: 'user,manager',
  });
  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
  expect((await opens(stdout.trim())).body).toMatchObject({ tenantId: 1, userId: 'alice', roles: ['user', 'manager'] });
});

it('token create keeps to the time it is given', async () => {
  const { stdout } = await run(TokenCreateCommand, [], { tenant: '1', user: 'alice', ttl: '30m', json: true });
  expect(JSON.parse(stdout)).toEqual({ token: expect.any(String), expires_at: '2026-11-30T12:30:00+00:00' });
});

it.each([
  [{ user: 'alice' }, 2, 'error: --tenant is required\n'],
  [{ tenant: '1' }, 2, 'error: --user is required\n'],
  [{ tenant: 'x', user: 'alice' }, 2, 'error: tenant must be a whole number from 1\n'],
  [{ tenant: '1', user: 'a\nb' }, 2, 'error: user must be 1 to 255 characters on one line\n'],
  [{ tenant: '1', user: 'alice', role: 'king' }, 2, 'error: roles must be one or more of user, manager, operator\n'],
  [
    { tenant: '1', user: 'alice', ttl: 'soon' },
    2,
    'error: ttl must be a time from 1 second to 10 years: 90s, 30m, 12h, 7d\n',
  ],
  [
    { tenant: '1', user: 'alice', ttl: '0' },
    2,
    'error: ttl must be a time from 1 second to 10 years: 90s, 30m, 12h, 7d\n',
  ],
  [{ tenant: '77', user: 'alice' }, 4, 'error: There is no tenant 77; `horarium tenant list` shows those there are.\n'],
])('token create %j ends with %i', async (options, code, stderr) => {
  expect(await run(TokenCreateCommand, [], options)).toEqual({ stdout: '', stderr, code });
});

it('a refusal with --json is a problem document on stderr', async () => {
  const { stdout, stderr, code } = await run(TokenCreateCommand, [], { tenant: '77', user: 'alice', json: true });
  expect([stdout, code]).toEqual(['', 4]);
  expect(JSON.parse(stderr)).toMatchObject({ status: 404, code: 'auth.tenant-not-found', field: 'tenant' });
});

it('api-key create, list and revoke work on anybody’s keys', async () => {
  const made = await run(ApiKeyCreateCommand, [], { tenant: '1', user: 'bob', name: 'ci', ttl: '90d' });
  expect(made.stdout).toMatch(/^hk_[\w-]{43}\n$/);
  expect((await opens(made.stdout.trim())).body).toMatchObject({ userId: 'bob', roles: ['user'] });

  const [listed] = JSON.parse((await run(ApiKeyListCommand, [], { user: 'bob', json: true })).stdout) as [
    { id: string },
  ];
  expect(listed).toMatchObject({ tenant_id: 1, user_id: 'bob', name: 'ci', revoked_at: null });
  expect((await run(ApiKeyListCommand, [], { tenant: '2' })).stdout).toMatch(/^id +tenant.*\n$/);

  const revoked = await run(ApiKeyRevokeCommand, [listed.id]);
  expect(revoked).toEqual({ stdout: `revoked ${listed.id} (ci) of bob\n`, stderr: '', code: 0 });
  expect((await opens(made.stdout.trim())).status).toBe(401);
  expect((await run(ApiKeyListCommand, [])).stdout).toContain('2026-11-30T12:00:00+00:00');
  expect((await run(ApiKeyRevokeCommand, [listed.id])).code).toBe(4);
  expect((await run(ApiKeyCreateCommand, [], { tenant: '77', user: 'bob' })).code).toBe(4);
});
