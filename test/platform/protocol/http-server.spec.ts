import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import request from 'supertest';
import { smallApp, type SmallApp } from './small-app';

let small: SmallApp;
const http = () => request(small.app.getHttpServer());
const lines = () => small.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const requestLine = (id: string) => lines().find((line) => line['request_id'] === id && line['context'] === 'Http');

beforeAll(async () => {
  small = await smallApp({ HORARIUM_LOG_LEVEL: 'debug' });
});
afterAll(() => small.app.close());

describe('the name of a request', () => {
  it('is the caller’s when it is a sane one', async () => {
    const answer = await http().get('/api/notes').set('X-Request-Id', 'trace:7f.3_A');
    expect(answer.headers['x-request-id']).toBe('trace:7f.3_A');
  });

  it.each(['', 'a b', 'x'.repeat(129), 'line{}', '<b>'])('is a new one for %j', async (given) => {
    const answer = await http().get('/api/notes').set('X-Request-Id', given);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stands in the log, also of a body that was never read', async () => {
    await http().post('/api/notes').set('X-Request-Id', 'mine-3').set('Content-Type', 'application/json').send('{');
    expect(requestLine('mine-3')).toMatchObject({ method: 'POST', url: '/api/notes', status: 400 });
  });
});

describe('the log of requests', () => {
  it('holds no header, no secret of the address, and is quiet about health', async () => {
    await http()
      .get('/api/notes?token=verysecret&limit=1')
      .set('X-Request-Id', 'mine-4')
      .set('Authorization', 'Bearer hk_abcdefghijklmnop')
      .set('Cookie', 'session=verysecret');
    await http().get('/health/live').set('X-Request-Id', 'mine-5');
    expect(requestLine('mine-4')).toMatchObject({ level: 30, url: '/api/notes?token=***&limit=1' });
    expect(requestLine('mine-5')).toMatchObject({ level: 20 });
    expect(small.lines.join()).not.toMatch(/verysecret|hk_abc/);
  });
});

describe('headers', () => {
  it('over plain HTTP never send the browser to https', async () => {
    const { headers } = await http().get('/api/notes');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('behind https keep it there', async () => {
    const secure = await smallApp({ PUBLIC_URL: 'https://horarium.example.org' });
    const { headers } = await request(secure.app.getHttpServer()).get('/api/notes');
    expect(headers['strict-transport-security']).toContain('max-age');
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
    await secure.app.close();
  });

  it('of proxies are believed only of those that are trusted', async () => {
    const trusting = await smallApp({ HORARIUM_TRUSTED_PROXIES: '1' });
    expect(trusting.app.getHttpAdapter().getInstance().get('trust proxy')).toBe(1);
    expect(small.app.getHttpAdapter().getInstance().get('trust proxy')).toBe(false);
    await trusting.app.close();
  });
});

describe('a stop', () => {
  it('is not held up by a client that sends half a request', async () => {
    const stopping = await smallApp();
    const server = stopping.app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, 'connection');
    const dawdler = connect(port, '127.0.0.1');
    dawdler.write('POST /api/notes HTTP/1.1\r\nHost: x\r\n');
    await accepted;
    const cut = once(dawdler, 'close');
    await Promise.all([stopping.app.close(), cut]);
  });
});
