import { gzipSync } from 'node:zlib';
import request from 'supertest';
import type { ErrorKind } from '../../../src/kernel/domain-error';
import { HTTP_STATUS } from '../../../src/platform/protocol/http-errors';
import { smallApp, type SmallApp } from './small-app';

let small: SmallApp;
const http = () => request(small.app.getHttpServer());
const note = { title: 'water the plants', schedule_spec: { cron: '0 9 * * *' } };
const post = (body: unknown) =>
  http()
    .post('/api/notes')
    .send(body as object);
const raw = (body: string | Buffer, type = 'application/json') =>
  http()
    .post('/api/notes')
    .set('Content-Type', type)
    .serialize(() => body as string)
    .send(body as string);

beforeAll(async () => {
  small = await smallApp();
});
afterAll(() => small.app.close());

describe('a refusal of ours', () => {
  it.each(Object.entries(HTTP_STATUS) as [ErrorKind, number][])('of kind %s is %i', async (kind, status) => {
    const answer = await http().get(`/api/errors/kind/${kind}`).set('X-Request-Id', 'mine-1');
    expect(answer.status).toBe(status);
    expect(answer.type).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: expect.any(String),
      status,
      detail: `a ${kind} thing`,
      code: 'test.any',
      field: 'thing',
      request_id: 'mine-1',
    });
  });

  it('says how to sign in, and when to try again', async () => {
    expect((await http().get('/api/errors/kind/unauthenticated')).headers['www-authenticate']).toMatch(/^Bearer/);
    expect((await http().get('/api/errors/kind/unavailable')).headers['retry-after']).toBe('5');
  });
});

describe('an error that nobody foresaw', () => {
  it('is 500, tells nothing to the outside and everything but secrets to the log', async () => {
    small.lines.length = 0;
    const answer = await http().get('/api/errors/unforeseen').set('X-Request-Id', 'mine-2');
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('platform.internal');
    expect(answer.text).not.toContain('postgres');
    const line = small.lines.find((text) => text.includes('HttpErrors')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 50, request_id: 'mine-2', context: 'HttpErrors' });
    expect(line).toContain('connect postgres://horarium:***@db failed');
    expect(line).not.toContain('hunter2');
    expect(line).not.toContain('a prompt');
  });

  it('of the framework keeps its status and words', async () => {
    const answer = await http().get('/api/errors/framework');
    expect(answer.body).toMatchObject({ status: 410, code: 'request.status-410', detail: 'gone for good' });
  });
});

describe('an address', () => {
  it('that is unknown is 404', async () => {
    const answer = await http().get('/api/nothing-here');
    expect(answer.body).toMatchObject({ status: 404, code: 'request.unknown-route' });
  });

  it('outside of the prefix is reached without it, and only so', async () => {
    expect((await http().get('/health/live')).status).toBe(200);
    expect((await http().get('/api/health/live')).status).toBe(404);
    expect((await http().get('/notes')).status).toBe(404);
  });

  it('that exists for another method is 405 and names those there are', async () => {
    const answer = await http().delete('/api/notes/7');
    expect(answer.body).toMatchObject({ status: 405, code: 'request.method-not-allowed' });
    expect(answer.headers['allow']).toBe('GET, HEAD, PATCH');
  });

  it('that does not decode is 400', async () => {
    const answer = await http().get('/api/notes/%E0%A4%A');
    expect(answer.status).toBe(400);
    expect(answer.type).toBe('application/problem+json');
  });
});

describe('a body', () => {
  it('passes as it is, whatever its text', async () => {
    const title = `'; drop-- <b>\u{1F331}`;
    const free = { any: ['\u2028', 1.5], deep: { null: null } };
    const answer = await post({ ...note, title, free });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ...note, title, free });
  });

  it.each([
    ['{"title":', 400, 'request.malformed-json'],
    ['"just a text"', 400, 'request.malformed-json'],
    ['[]', 422, 'request.invalid'],
    ['', 422, 'request.invalid'],
  ])('%s is %i', async (body, status, code) => {
    const answer = await raw(body);
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.type).toBe('application/problem+json');
  });

  it('that is no UTF-8 is 400, not silently another text', async () => {
    const broken = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect((await raw(broken)).body).toMatchObject({ status: 400, code: 'request.not-utf8' });
  });

  it('over the limit is 413 with the limit, also when it is small on the wire', async () => {
    const large = JSON.stringify({ title: 'x'.repeat(300 * 1024) });
    expect((await raw(large)).body).toMatchObject({
      status: 413,
      code: 'request.too-large',
      detail: 'The body is larger than the limit of 256 KiB.',
    });
    const packed = await http()
      .post('/api/notes')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize(() => gzipSync(large) as unknown as string)
      .send({});
    expect(packed.body).toMatchObject({ status: 413, code: 'request.too-large' });
  });

  it('of another type, encoding or character set is 415', async () => {
    expect((await raw('title=x', 'application/x-www-form-urlencoded')).body).toMatchObject({
      status: 415,
      code: 'request.unsupported-media-type',
      detail: expect.stringContaining('application/x-www-form-urlencoded'),
    });
    expect((await raw('{}', 'application/json; charset=latin1')).body).toMatchObject({
      status: 415,
      code: 'request.unsupported-charset',
    });
    const answer = await http()
      .post('/api/notes')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'lzma')
      .send('{}');
    expect(answer.body).toMatchObject({ status: 415, code: 'request.unsupported-encoding' });
  });
});

describe('a field', () => {
  it.each([
    ['unknown', { ...note, titel: 1 }, 'titel is not a known field', 'titel'],
    [
      'unknown within another',
      { ...note, schedule_spec: { corn: '' } },
      'schedule_spec.corn is not a known field',
      'schedule_spec.corn',
    ],
    ['missing', { schedule_spec: {} }, 'title is required', 'title'],
    ['missing, an object', { title: 'x' }, 'schedule_spec is required', 'schedule_spec'],
    ['of the wrong type', { ...note, title: 7 }, 'title must be a string', 'title'],
    ['too long', { ...note, title: 'x'.repeat(21) }, 'title must be shorter than or equal to 20 characters', 'title'],
    [
      'of the wrong type, within another',
      { ...note, schedule_spec: { cron: 7 } },
      'schedule_spec.cron must be a string',
      'schedule_spec.cron',
    ],
    ['a list for an object', { ...note, schedule_spec: [] }, 'schedule_spec must be an object', 'schedule_spec'],
    ['with a NUL', { ...note, title: 'a\0b' }, 'title must not contain the NUL character', 'title'],
    [
      'with a NUL in a list',
      { ...note, labels: ['a', '\0'] },
      'labels.1 must not contain the NUL character',
      'labels.1',
    ],
    ['with half a pair', { ...note, title: 'a\ud83d' }, 'title must not contain half of a surrogate pair', 'title'],
    [
      'with half a pair, the other',
      { ...note, free: { x: '\udc00a' } },
      'free.x must not contain half of a surrogate pair',
      'free.x',
    ],
  ])('%s is 422 and named', async (_, body, detail, field) => {
    const answer = await post(body);
    expect(answer.body).toMatchObject({ status: 422, code: 'request.invalid', detail, field });
    expect(answer.body.errors).toEqual([{ field, message: detail }]);
  });

  it.each(['constructor', '__proto__'])('named %s is refused like any unknown one', async (key) => {
    const answer = await raw(`{"title":"x","schedule_spec":{},"${key}":{"polluted":true}}`);
    expect(answer.body).toMatchObject({ status: 422, detail: `${key} is not a known field`, field: key });
    const inner = await raw(`{"title":"x","schedule_spec":{"${key}":1}}`);
    expect(inner.body).toMatchObject({ status: 422, field: `schedule_spec.${key}` });
  });

  it('with a key that is no text is refused', async () => {
    const answer = await post({ ...note, free: { 'a\0b': 1 } });
    expect(answer.body).toMatchObject({ status: 422, field: 'free.a\uFFFDb' });
  });

  it('several at once are all named, in one readable text', async () => {
    const answer = await post({ titel: 'x', schedule_spec: {} });
    expect(answer.body.detail).toBe('titel is not a known field; title is required');
    expect(answer.body.errors).toHaveLength(2);
    expect(answer.body.field).toBeUndefined();
  });

  it('nested without end is refused before anything walks into it', async () => {
    const answer = await raw(`{"free":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    expect(answer.body).toMatchObject({ status: 422, detail: expect.stringContaining('levels deep') });
  });

  it.each([
    ['/api/notes?limit=7', 200, undefined],
    ['/api/notes?limit=0', 422, 'limit'],
    ['/api/notes?limit=many', 422, 'limit'],
    ['/api/notes?limit=1&limit=2', 422, 'limit'],
    ['/api/notes?offset=1', 422, 'offset'],
    ['/api/notes?__proto__=1', 422, '__proto__'],
    ['/api/notes/a%00b', 422, 'id'],
  ])('of the address: %s is %i', async (path, status, field) => {
    const answer = await http().get(path);
    expect(answer.status).toBe(status);
    expect((answer.body as { field?: string }).field).toBe(field);
  });
});
