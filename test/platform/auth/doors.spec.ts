import request from 'supertest';
import type { Role } from '../../../src/kernel/actor';
import { ApiKeyUses } from '../../../src/platform/auth/ports/api-key-uses';
import { CreateTenant } from '../../../src/platform/auth/usecases/create-tenant';
import { CreateToken } from '../../../src/platform/auth/usecases/create-token';
import { systemActor } from '../../../src/kernel/actor';
import { type AuthApp, authApp } from './auth-app';

let house: AuthApp;
const http = () => request(house.app.getHttpServer());
const token = async (userId = 'alice', roles: Role[] = ['user'], tenantId = 1): Promise<string> => {
  const made = await house.app
    .get(CreateToken)
    .run({ userId, roles, tenantId, ttlSeconds: 36_000_000 }, house.clock.now());
  return `Bearer ${made.token}`;
};
const get = async (path: string, authorization?: string) =>
  authorization === undefined ? http().get(path) : http().get(path).set('Authorization', authorization);
const create = async (authorization: string, body: object = { name: 'laptop' }) =>
  http().post('/api/api-keys').set('Authorization', authorization).send(body);
const keysOfUser = async (userId: string) =>
  (await house.database.admin.query('select * from api_keys where user_id = $1', [userId])).rows as Record<
    string,
    unknown
  >[];

beforeAll(async () => {
  house = await authApp();
});
afterAll(() => house.close());

describe('a door', () => {
  it('that is public is open', async () => {
    expect((await get('/api/doors/public')).status).toBe(200);
    expect((await get('/api/doors/public', 'Bearer nonsense')).status).toBe(200);
  });

  it.each([undefined, 'Basic YTpi', 'Bearer', 'Bearer  ', 'hk_something'])('is shut for %j', async (authorization) => {
    const answer = await get('/api/doors/anyone', authorization);
    expect(answer.body).toMatchObject({ status: 401, code: 'auth.not-signed-in' });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="horarium"');
  });

  it('knows who comes in, by token', async () => {
    const answer = await get('/api/doors/anyone', await token('alice', ['operator']));
    expect(answer.body).toEqual({ type: 'user', tenantId: 1, userId: 'alice', roles: ['operator'] });
    expect((await get('/api/doors/anyone', (await token()).replace('Bearer', 'bearer'))).status).toBe(200);
  });

  it('is shut for a forged token and for one that has expired', async () => {
    const good = await token();
    expect((await get('/api/doors/anyone', `${good.slice(0, -3)}AAA`)).body.code).toBe('auth.token-invalid');
    const before = house.clock.time;
    house.clock.time += 36_010_000_000;
    expect((await get('/api/doors/anyone', good)).body.code).toBe('auth.token-expired');
    house.clock.time = before;
  });

  it('for some roles is shut for the others', async () => {
    expect((await get('/api/doors/managers', await token('alice', ['user']))).body).toMatchObject({
      status: 403,
      code: 'auth.role-required',
      detail: 'This needs the role manager or operator.',
    });
    expect((await get('/api/doors/managers', await token('alice', ['manager']))).status).toBe(200);
    expect((await get('/api/doors/managers')).status).toBe(401);
  });

  it('is shut for a tenant that does not exist, and open as soon as it does', async () => {
    const { id } = await house.app
      .get(CreateTenant)
      .run(systemActor('test'), { name: 'short-lived' }, house.clock.now());
    const theirs = await token('eve', ['user'], id);
    await house.database.admin.query('delete from tenants where id = $1', [id]);
    house.clock.time += 61_000;
    expect((await get('/api/doors/anyone', theirs)).body).toMatchObject({ status: 401, code: 'auth.unknown-tenant' });
    await house.database.admin.query("insert into tenants (id, name, created_at) values ($1, 'again', now())", [id]);
    expect((await get('/api/doors/anyone', theirs)).status).toBe(200);
  });

  it('lets no secret into the log', async () => {
    const authorization = await token();
    await get('/api/doors/anyone', authorization);
    await get('/api/doors/anyone', `${authorization}x`);
    expect(house.lines.join()).not.toContain(authorization.slice(-20));
  });
});

describe('an API key', () => {
  it('is shown once, stored as a hash, and opens the same doors', async () => {
    const answer = await create(await token('bob', ['user', 'manager']), { name: 'laptop', expires_in_days: 30 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^key-[0-9a-f]{32}$/),
      name: 'laptop',
      roles: ['user', 'manager'],
      created_at: expect.stringMatching(/^2026-11-30T12:\d\d:\d\d\+00:00$/),
      expires_at: expect.stringMatching(/^2026-12-30T12:\d\d:\d\d\+00:00$/),
      last_used_at: null,
      key: expect.stringMatching(/^hk_[A-Za-z0-9_-]{43}$/),
    });
    const { key } = answer.body as { key: string };
    const actor = { type: 'user', tenantId: 1, userId: 'bob', roles: ['user', 'manager'] };
    expect((await get('/api/doors/anyone', `Bearer ${key}`)).body).toEqual(actor);
    expect((await http().get('/api/doors/anyone').set('X-API-Key', key)).body).toEqual(actor);
    expect(JSON.stringify(await keysOfUser('bob'))).not.toContain(key);
    expect(house.lines.join()).not.toContain(key);
    expect((await get('/api/api-keys', `Bearer ${key}`)).text).not.toContain('hk_');
  });

  it('has roles of its maker only', async () => {
    const maker = await token('carol', ['user', 'manager']);
    expect((await create(maker, { name: 'x', roles: ['user'] })).body.roles).toEqual(['user']);
    expect((await create(maker, { name: 'x', roles: ['operator'] })).body).toMatchObject({
      status: 403,
      code: 'auth.role-not-held',
      field: 'roles',
    });
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', roles: [] }, 'roles'],
    [{ name: 'x', roles: ['king'] }, 'roles'],
    [{ name: 'x', expires_in_days: 0 }, 'expires_in_days'],
    [{ name: 'x', expires_in_days: '30' }, 'expires_in_days'],
    [{ name: 'x', user_id: 'alice' }, 'user_id'],
    [{ name: 'x', tenant_id: 2 }, 'tenant_id'],
  ])('is not made from %j', async (body, field) => {
    const answer = await create(await token('nobody'), body);
    expect(answer.body).toMatchObject({ status: 422, field });
    expect(await keysOfUser('nobody')).toEqual([]);
  });

  it('is listed and revoked by its owner alone', async () => {
    const owner = await token('dora');
    const made = (await create(owner)).body as { id: string; key: string };
    const other = (await create(owner, { name: 'desk' })).body as { id: string };
    const ids = async (who: string) => ((await get('/api/api-keys', who)).body as { id: string }[]).map(({ id }) => id);
    const revoke = (who: string) => http().delete(`/api/api-keys/${made.id}`).set('Authorization', who);
    expect(await ids(owner)).toEqual([other.id, made.id]);
    expect(await ids(await token('eve'))).toEqual([]);
    expect((await revoke(await token('eve', ['operator']))).body).toMatchObject({
      status: 404,
      code: 'auth.api-key-not-found',
    });

    const revoked = await revoke(owner);
    expect([revoked.status, revoked.body]).toEqual([200, { id: made.id, revoked: true }]);
    expect(await ids(owner)).toEqual([other.id]);
    expect((await get('/api/doors/anyone', `Bearer ${made.key}`)).body.code).toBe('auth.api-key-invalid');
    expect((await revoke(owner)).status).toBe(404);
  });

  it('expires', async () => {
    const { key } = (await create(await token('fred'), { name: 'x', expires_in_days: 1 })).body as { key: string };
    const before = house.clock.time;
    house.clock.time += 86_400_000 - 1;
    expect((await get('/api/doors/anyone', `Bearer ${key}`)).status).toBe(200);
    house.clock.time += 1;
    expect((await get('/api/doors/anyone', `Bearer ${key}`)).body.code).toBe('auth.api-key-invalid');
    house.clock.time = before;
  });

  it.each(['hk_', 'hk_unknown', `hk_${'A'.repeat(43)}`, 'hk_\u00e4'])(
    'that is made up (%s) opens nothing',
    async (key) => {
      const answer = await get('/api/doors/anyone', `Bearer ${key}`);
      expect(answer.body).toMatchObject({ status: 401, code: 'auth.api-key-invalid' });
    },
  );

  it('remembers when it was last used, to within a minute', async () => {
    const { key } = (await create(await token('gina'))).body as { key: string };
    const used = async (): Promise<unknown> => {
      expect((await get('/api/doors/anyone', `Bearer ${key}`)).status).toBe(200);
      await house.app.get<ApiKeyUses>(ApiKeyUses).drain();
      return (await keysOfUser('gina'))[0]?.['last_used_at'];
    };
    const first = house.clock.now();
    expect(await used()).toEqual(first);
    house.clock.time += 59_999;
    expect(await used()).toEqual(first);
    house.clock.time += 1;
    expect(await used()).toEqual(house.clock.now());
  });
});
