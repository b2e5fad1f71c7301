import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { JoseTokens } from '../../../src/platform/auth/outbound/jose-tokens';

const NOW = new Date('2026-11-30T12:00:00Z');
const SECRET = 'a-secret-of-at-least-32-characters!';
const seconds = (offset: number) => Math.floor(NOW.getTime() / 1_000) + offset;
const ALICE = { tenantId: 1, userId: 'alice', roles: ['user', 'manager'] as const };
const GOOD = { sub: 'alice', tenant_id: 1, roles: ['user', 'manager'], exp: seconds(60) };

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signs whatever it is told to, unlike a library. */
function handmade(header: object, payload: object, secret = SECRET): string {
  const signed = `${base64(header)}.${base64(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
const hs256 = (payload: object) => handmade({ alg: 'HS256' }, payload);
const refused = (tokens: JoseTokens, text: string) =>
  tokens.verify(text, NOW).then(
    (identity) => ({ code: `taken: ${identity.userId}`, message: '' }),
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );

describe('tokens of our own', () => {
  const tokens = new JoseTokens({ secret: SECRET });

  it('say who was meant when they were made', async () => {
    const text = await tokens.issue(ALICE, NOW, new Date(NOW.getTime() + 60_000));
    expect(await tokens.verify(text, NOW)).toEqual(ALICE);
  });

  it('without roles are a user’s; roles of other applications are passed over', async () => {
    expect((await tokens.verify(hs256({ ...GOOD, roles: undefined }), NOW)).roles).toEqual(['user']);
    expect((await tokens.verify(hs256({ ...GOOD, roles: ['admin', 'operator', 7] }), NOW)).roles).toEqual(['operator']);
  });

  it('are good until they expire, by the clock of the house, give or take five seconds', async () => {
    expect(await tokens.verify(hs256({ ...GOOD, exp: seconds(-4) }), NOW)).toMatchObject({ userId: 'alice' });
    expect(await refused(tokens, hs256({ ...GOOD, exp: seconds(-6) }))).toMatchObject({ code: 'auth.token-expired' });
    expect(await refused(tokens, hs256({ ...GOOD, nbf: seconds(10) }))).toMatchObject({ code: 'auth.token-invalid' });
  });

  it.each([
    ['signed with another secret', handmade({ alg: 'HS256' }, GOOD, 'another-secret-of-32-characters!!!!')],
    ['with a changed claim', hs256(GOOD).replace(/\.[^.]+\./, `.${base64({ ...GOOD, tenant_id: 2 })}.`)],
    ['without a signature', `${base64({ alg: 'HS256' })}.${base64(GOOD)}.`],
    ['of algorithm none', `${base64({ alg: 'none' })}.${base64(GOOD)}.`],
    ['of algorithm None', handmade({ alg: 'None' }, GOOD)],
    ['without an algorithm', handmade({}, GOOD)],
    ['of another algorithm with the same secret', handmade({ alg: 'HS512' }, GOOD)],
    ['of an algorithm for public keys', handmade({ alg: 'RS256' }, GOOD)],
    ['with a critical extension', handmade({ alg: 'HS256', crit: ['b64'], b64: false }, GOOD)],
    ['that brings its own key', handmade({ alg: 'HS256', jwk: { kty: 'oct', k: 'eA' } }, GOOD, 'x')],
    ['without an expiry', hs256({ ...GOOD, exp: undefined })],
    ['with an expiry that is a text', hs256({ ...GOOD, exp: '9999999999' })],
    ['without a subject', hs256({ ...GOOD, sub: undefined })],
    ['with an empty subject', hs256({ ...GOOD, sub: '' })],
    ['with a subject of several lines', hs256({ ...GOOD, sub: 'alice\nbob' })],
    ['with a NUL in its subject', hs256({ ...GOOD, sub: 'alice\0' })],
    ['with an endless subject', hs256({ ...GOOD, sub: 'a'.repeat(256) })],
    ['without a tenant', hs256({ ...GOOD, tenant_id: undefined })],
    ['with a tenant that is a text', hs256({ ...GOOD, tenant_id: '1' })],
    ['with a tenant too large for the database', hs256({ ...GOOD, tenant_id: 2 ** 31 })],
    ['with a tenant with a fraction', hs256({ ...GOOD, tenant_id: 1.5 })],
    ['with roles that are no list', hs256({ ...GOOD, roles: 'operator' })],
    ['that is no token', 'operator'],
    ['that is nothing', ''],
    ['that is a list', handmade({ alg: 'HS256' }, [] as object)],
  ])('%s are refused', async (_, text) => {
    expect(await refused(tokens, text)).toMatchObject({ code: 'auth.token-invalid' });
  });

  it('carry issuer and audience when these are set, and need them', async () => {
    const strict = new JoseTokens({ secret: SECRET, issuer: 'https://id.example.org', audience: 'horarium' });
    const text = await strict.issue(ALICE, NOW, new Date(NOW.getTime() + 60_000));
    expect(await strict.verify(text, NOW)).toEqual(ALICE);
    expect(await refused(strict, hs256(GOOD))).toMatchObject({ message: expect.stringContaining('claim iss') });
    const elsewhere = hs256({ ...GOOD, iss: 'https://id.example.org', aud: 'another' });
    expect(await refused(strict, elsewhere)).toMatchObject({ message: expect.stringContaining('claim aud') });
  });

  it('are not made where there is no secret', async () => {
    await expect(new JoseTokens({}).issue(ALICE, NOW, NOW)).rejects.toMatchObject({ code: 'auth.no-signing-secret' });
    expect(await refused(new JoseTokens({}), hs256(GOOD))).toMatchObject({ code: 'auth.token-invalid' });
  });
});

describe('tokens of an identity provider', () => {
  let provider: Server;
  let answer: { status: number; body: string } = { status: 200, body: '{"keys":[]}' };
  let asked = 0;
  let url: string;
  let signingKey: CryptoKey;
  let publicPem: string;
  let keys: string;

  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    signingKey = pair.privateKey;
    publicPem = await exportSPKI(pair.publicKey);
    keys = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
    provider = createServer((_, response) => {
      asked += 1;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/keys`;
  });
  afterAll(() => new Promise((closed) => provider.close(closed)));
  beforeEach(() => {
    answer = { status: 200, body: keys };
    asked = 0;
  });

  const tokens = (secret?: string) => new JoseTokens({ secret, jwksUrl: url, issuer: 'idp', audience: 'horarium' });
  const signed = (claims: object = {}, kid = 'one', key = signingKey) =>
    new SignJWT({ ...GOOD, iss: 'idp', aud: ['other', 'horarium'], ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(key);

  it('are taken with its public keys, which are fetched once', async () => {
    const house = tokens();
    expect(await house.verify(await signed(), NOW)).toEqual(ALICE);
    expect(await house.verify(await signed({ sub: 'bob' }), NOW)).toMatchObject({ userId: 'bob' });
    expect(asked).toBe(1);
  });

  it.each([
    ['of another issuer', () => signed({ iss: 'another' })],
    ['for another audience', () => signed({ aud: 'another' })],
    ['without an audience', () => signed({ aud: undefined })],
    ['of an unknown key', () => signed({}, 'two')],
    ['of another provider', async () => signed({}, 'one', (await generateKeyPair('RS256')).privateKey)],
    [
      'signed with the public key as if it were a secret',
      () =>
        Promise.resolve(handmade({ alg: 'HS256', kid: 'one' }, { ...GOOD, iss: 'idp', aud: 'horarium' }, publicPem)),
    ],
  ])('%s are refused', async (_, text) => {
    expect(await refused(tokens(), await text())).toMatchObject({ code: 'auth.token-invalid' });
    expect(await refused(tokens(SECRET), await text())).toMatchObject({ code: 'auth.token-invalid' });
  });

  it('expired are refused as such', async () => {
    expect(await refused(tokens(), await signed({ exp: seconds(-60) }))).toMatchObject({ code: 'auth.token-expired' });
  });

  it('work beside tokens of our own', async () => {
    const house = tokens(SECRET);
    const own = await house.issue(ALICE, NOW, new Date(NOW.getTime() + 60_000));
    expect(await house.verify(own, NOW)).toEqual(ALICE);
    expect(await house.verify(await signed(), NOW)).toEqual(ALICE);
  });

  it.each([
    [500, ''],
    [200, 'not json'],
    [200, '{}'],
  ])('cannot be judged while it answers %i %s: that is no refusal', async (status, body) => {
    answer = { status, body };
    expect(await refused(tokens(), await signed())).toMatchObject({ code: 'auth.identity-provider-unreachable' });
  });

  it('cannot be judged while nobody is there', async () => {
    const nobody = new JoseTokens({ jwksUrl: 'http://127.0.0.1:1/keys', issuer: 'idp', audience: 'horarium' });
    expect(await refused(nobody, await signed())).toMatchObject({ code: 'auth.identity-provider-unreachable' });
  });
});
