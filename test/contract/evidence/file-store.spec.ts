// The port FileStore, in a folder and against a server that speaks S3 and checks every signature.
import { transformSync } from '@swc/core';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileTooLargeError, StoreUnavailableError } from '../../../src/evidence/domain/errors';
import { FolderFileStore } from '../../../src/evidence/outbound/folder-file-store';
import { S3FileStore } from '../../../src/evidence/outbound/s3-file-store';
import type { FileStore } from '../../../src/evidence/ports/file-store';

const MIB = 1_048_576;
const PART = 5 * MIB;
const SECRET = 'a secret of tests';

/** The six calls of S3 that are used, with signature version 4. */
class SmallS3 {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Map<number, Buffer>>();
  readonly calls: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request).then(({ status, body = '', headers = {} }) => {
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/bucket`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body?: string | Buffer; headers?: Record<string, string> }> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    if (!signed(request, body)) return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const key = pathname.replace('/bucket/', '');
    const upload = searchParams.get('uploadId');
    this.calls.push(`${request.method} ${[...searchParams.keys()].join(',')}`.trim());
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const id = randomBytes(8).toString('hex');
      this.uploads.set(id, new Map());
      const xml = `<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
      return { status: 200, body: xml, headers: { 'Content-Type': 'application/xml' } };
    }
    if (request.method === 'PUT' && upload !== null) {
      this.uploads.get(upload)?.set(Number(searchParams.get('partNumber')), body);
      return { status: 200, headers: { ETag: `"${createHash('md5').update(body).digest('hex')}"` } };
    }
    if (request.method === 'POST' && upload !== null) {
      const parts = [...(this.uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      this.objects.set(key, Buffer.concat(parts));
      this.uploads.delete(upload);
      const xml = `<CompleteMultipartUploadResult><Location>x</Location><Bucket>bucket</Bucket><Key>${key}</Key><ETag>"e"</ETag></CompleteMultipartUploadResult>`;
      return { status: 200, body: xml, headers: { 'Content-Type': 'application/xml' } };
    }
    if (request.method === 'DELETE') {
      if (upload === null) this.objects.delete(key);
      else this.uploads.delete(upload);
      return { status: 204 };
    }
    if (request.method === 'PUT') {
      this.objects.set(key, body);
      return { status: 200, headers: { ETag: '"e"' } };
    }
    const found = this.objects.get(key);
    return found === undefined
      ? { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
      : { status: 200, body: found, headers: { ETag: '"e"', 'Content-Length': String(found.byteLength) } };
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** AWS signature version 4, computed anew from what arrived. */
function signed({ method, url = '/', headers }: IncomingMessage, body: Buffer): boolean {
  const authorization = headers.authorization ?? '';
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})/.exec(authorization) ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const query = [...searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, pathname, query, lines.join(''), names, payload].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const [date = '', region = '', service = '', end = ''] = scope.split('/');
  const key = [region, service, end].reduce((last, part) => hmac(last, part), hmac(`AWS4${SECRET}`, date));
  return hmac(key, toSign).toString('hex') === signature;
}

const s3 = new SmallS3();
const folder = mkdtempSync(join(tmpdir(), 'horarium-files-'));
let endpoint: string;
beforeAll(async () => {
  endpoint = await s3.open();
});
afterAll(() => {
  s3.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The client, compiled: the test runner's own loader takes no ES modules. */
async function load(): Promise<typeof import('s3mini')> {
  const source = readFileSync(join(process.cwd(), 'node_modules/s3mini/dist/index.mjs'), 'utf8');
  const compiled = join(folder, 's3mini.cjs');
  writeFileSync(compiled, transformSync(source, { module: { type: 'commonjs' }, jsc: { target: 'es2022' } }).code);
  return (await import(compiled)) as typeof import('s3mini');
}

const inBucket = (secretAccessKey = SECRET): FileStore =>
  new S3FileStore({ endpoint, region: 'us-east-1', accessKeyId: 'key', secretAccessKey, partBytes: PART }, load);
const left = {
  folder: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('evidence-')),
  bucket: () => [...s3.objects.keys(), ...s3.uploads.keys()],
};

async function* pieces(...parts: (Buffer | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield await Promise.resolve(part);
  }
}

async function whole(content: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content!) parts.push(part);
  return Buffer.concat(parts);
}

describe.each([
  ['a folder', () => new FolderFileStore(folder), left.folder],
  ['a bucket', inBucket, left.bucket],
] as const)('files in %s', (_, open, remaining) => {
  it.each([
    ['nothing', 0],
    ['a few bytes', 10],
    ['exactly one part', PART],
    ['several parts', 2 * PART + 7],
  ])('are given back as they were: %s', async (_size, size) => {
    const store = open();
    const bytes = randomBytes(size);
    const key = `1/evidence-${size}`;
    const halves = pieces(bytes.subarray(0, size / 2), bytes.subarray(size / 2));
    expect(await store.write(key, halves, 100 * MIB)).toEqual({
      storageKey: key,
      sizeBytes: size,
      sha256: sha256(bytes),
    });
    expect((await whole(await store.read(key))).equals(bytes)).toBe(true);
    await store.remove(key);
    await store.remove(key);
    expect(await store.read(key)).toBeNull();
  });

  it('leave nothing behind when they are too large, or broken off', async () => {
    const store = open();
    const before = remaining();
    const large = store.write('1/evidence-large', pieces(Buffer.alloc(2 * PART), Buffer.alloc(PART)), 2 * PART);
    await expect(large).rejects.toBeInstanceOf(FileTooLargeError);
    const broken = store.write('1/evidence-broken', pieces(Buffer.alloc(2 * PART + 1), new Error('gone')), 100 * MIB);
    await expect(broken).rejects.toThrow('gone');
    expect(remaining()).toEqual(before);
  });

  it('can be asked whether they can be reached', async () => {
    await expect(open().check()).resolves.toBeUndefined();
  });
});

it('a bucket takes what fits into one part at once, and more in parts', async () => {
  s3.calls.length = 0;
  await inBucket().write('1/evidence-a', pieces(Buffer.alloc(PART)), 100 * MIB);
  await inBucket().write('1/evidence-b', pieces(Buffer.alloc(PART + 1)), 100 * MIB);
  expect(s3.calls.map((call) => call.split(' ')[0])).toEqual(['PUT', 'POST', 'PUT', 'PUT', 'POST']);
});

it('a bucket that does not let us in is unavailable, and no secret is in the words for it', async () => {
  const refused = inBucket('another secret').write('1/evidence-x', pieces(Buffer.from('x')), MIB);
  await expect(refused).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(refused).rejects.toThrow(/^(?!.*secret).*403/);
});

it('a key that is no key never becomes a path', async () => {
  const store = new FolderFileStore(folder);
  for (const key of ['../x', '/etc/passwd', 'x', '1/../../x']) await expect(store.read(key)).rejects.toThrow('no key');
});
