// Calls to real servers on this machine, by names that resolve to what the test says.
import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { allowedDestinations } from '../../../src/platform/http/allowed-destinations';
import { NoAnswerError } from '../../../src/platform/http/errors';
import { OutboundHttp, type Resolve } from '../../../src/platform/http/outbound-http';

const open: { close(): unknown }[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener);
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Each look-up takes the next answer; the last one stays. */
function names(...answers: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (host, _options, done) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => done(null, found));
  };
  return { resolve, asked };
}

const allow = (text: string): NonNullable<ReturnType<typeof allowedDestinations>> => allowedDestinations(text)!;
const loopback = allow('127.0.0.1');

afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

const refused = { code: 'http.destination-refused', kind: 'refused' };

describe('what is refused before anything is sent', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'https://user:pass@example.org/',
    'nonsense',
  ])('%s', async (url) => {
    const http = new OutboundHttp();
    await expect(http.send({ url })).rejects.toMatchObject(refused);
    expect(http.refusal(url)).toEqual(expect.any(String));
  });

  it('nothing speaks against a name before it is resolved', () => {
    expect(new OutboundHttp().refusal('https://example.org/hook')).toBeUndefined();
  });

  it('a name that resolves to this machine', async () => {
    let calls = 0;
    const port = await serve((_, response) => (calls++, response.end()));
    const http = new OutboundHttp([], names(['127.0.0.1']).resolve);
    const error: unknown = await http.send({ url: `http://inside.example:${port}/` }).catch((e: unknown) => e);
    expect(error).toMatchObject(refused);
    // Where it leads would be a map of the network.
    expect((error as Error).message).not.toContain('127.0.0.1');
    expect(calls).toBe(0);
  });

  it('localhost, as the machine itself resolves it', async () => {
    const port = await serve((_, response) => response.end());
    await expect(new OutboundHttp().send({ url: `http://localhost:${port}/` })).rejects.toMatchObject(refused);
  });

  it('a name that has become another between the check and the call', async () => {
    let calls = 0;
    const port = await serve((_, response) => (calls++, response.end()));
    const { resolve, asked } = names(['127.0.0.1'], ['10.255.255.1']);
    const http = new OutboundHttp(allow('127.0.0.1'), resolve);
    await http.send({ url: `http://rebound.example:${port}/` });
    await expect(http.send({ url: `http://rebound.example:${port}/` })).rejects.toMatchObject(refused);
    // One look-up for each call: what is judged is what is connected to.
    expect([calls, asked.length]).toEqual([1, 2]);
  });
});

describe('an answer', () => {
  it('comes whole, from the permitted one of several addresses', async () => {
    const port = await serve((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', () => response.writeHead(418, { 'X-Tea': 'yes' }).end(`${request.method} ${text}`));
    });
    const http = new OutboundHttp(loopback, names(['10.0.0.1', '127.0.0.1']).resolve);
    const answer = await http.send({ url: `http://two.example:${port}/x?y=1`, method: 'POST', body: 'höre' });
    expect(answer).toMatchObject({ status: 418, cut: false, headers: { 'x-tea': 'yes' } });
    expect(answer.body.toString()).toBe('POST höre');
  });

  it('that is too long is refused, or cut where that is enough', async () => {
    const port = await serve((_, response) => response.end(Buffer.alloc(300_000, 'a')));
    const http = new OutboundHttp(loopback);
    const request = { url: `http://127.0.0.1:${port}/`, maxAnswerBytes: 1_000 };
    await expect(http.send(request)).rejects.toMatchObject({ reason: 'answered-too-much', sent: true });
    const { body, cut } = await http.send({ ...request, whenTooLong: 'cut' });
    expect([body.length, cut]).toEqual([1_000, true]);
  });
});

describe('no answer', () => {
  const failureOf = (http: OutboundHttp, request: Parameters<OutboundHttp['send']>[0]): Promise<NoAnswerError> =>
    http.send(request).then(
      () => Promise.reject(new Error('answered')),
      (error: NoAnswerError) => error,
    );

  it('within the time, although bytes keep dripping', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const error = await failureOf(new OutboundHttp(loopback), { url: `http://127.0.0.1:${port}/`, timeoutMs: 200 });
    expect(error).toMatchObject({ code: 'http.no-answer', kind: 'downstream', reason: 'timeout', sent: true });
  });

  it('and certainly nothing sent, when nobody listens', async () => {
    const port = await serve((_, response) => response.end());
    open.splice(0).forEach((server) => server.close());
    const error = await failureOf(new OutboundHttp(loopback), { url: `http://127.0.0.1:${port}/`, method: 'POST' });
    expect(error).toMatchObject({ reason: 'network', sent: false });
    expect(error.message).toMatch(/connection refused/);
  });

  it('and perhaps sent, when the connection breaks after it was made', async () => {
    const server = createTcpServer((socket) => socket.on('data', () => socket.destroy()));
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const error = await failureOf(new OutboundHttp(loopback), { url, method: 'POST', body: 'x' });
    expect(error).toMatchObject({ reason: 'network', sent: true });
  });

  it('and nothing sent, while the name is being resolved', async () => {
    const http = new OutboundHttp([], () => undefined);
    const error = await failureOf(http, { url: 'http://slow.example/', timeoutMs: 50 });
    expect(error).toMatchObject({ reason: 'timeout', sent: false });
  });

  it('because the caller gave up', async () => {
    const abort = new AbortController();
    const port = await serve(() => abort.abort());
    const error = await failureOf(new OutboundHttp(loopback), {
      url: `http://127.0.0.1:${port}/`,
      signal: abort.signal,
    });
    expect(error).toMatchObject({ reason: 'aborted', sent: true });
  });

  it('in HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await failureOf(new OutboundHttp(loopback), { url })).message).toBe('What it answers is not HTTP.');
  });
});

describe('redirects', () => {
  it('are an answer like any other unless asked for', async () => {
    const port = await serve((_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end());
    expect((await new OutboundHttp(loopback).send({ url: `http://127.0.0.1:${port}/` })).status).toBe(302);
  });

  it.each(['http://169.254.169.254/', 'http://[::1]/', 'file:///etc/passwd', 'http://inside.example/'])(
    'do not lead to %s',
    async (location) => {
      const port = await serve((_, response) => response.writeHead(307, { Location: location }).end());
      const http = new OutboundHttp(loopback, names(['127.0.0.1'], ['10.0.0.1']).resolve);
      const sent = http.send({ url: `http://start.example:${port}/`, maxRedirects: 3 });
      await expect(sent).rejects.toMatchObject(refused);
    },
  );

  it('leave secrets and, where the method changes, the body behind', async () => {
    const seen: { method?: string; url?: string; authorization?: string; body: string }[] = [];
    const listener: RequestListener = (request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        seen.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body });
        if (request.url === '/303') response.writeHead(303, { Location: `http://127.0.0.1:${other}/end` });
        if (request.url === '/308') response.writeHead(308, { Location: '/end' });
        response.end('done');
      });
    };
    const other = await serve(listener);
    const port = await serve(listener);
    const http = new OutboundHttp(loopback);
    const request = { method: 'POST', body: 'b', headers: { Authorization: 'Bearer x' }, maxRedirects: 1 } as const;
    await http.send({ ...request, url: `http://127.0.0.1:${port}/303` });
    await http.send({ ...request, url: `http://127.0.0.1:${port}/308` });
    expect(seen).toEqual([
      { method: 'POST', url: '/303', authorization: 'Bearer x', body: 'b' },
      { method: 'GET', url: '/end', authorization: undefined, body: '' },
      { method: 'POST', url: '/308', authorization: 'Bearer x', body: 'b' },
      { method: 'POST', url: '/end', authorization: 'Bearer x', body: 'b' },
    ]);
  });

  it('end somewhere', async () => {
    const port = await serve((_, response) => response.writeHead(302, { Location: '/' }).end());
    const sent = new OutboundHttp(loopback).send({ url: `http://127.0.0.1:${port}/`, maxRedirects: 3 });
    await expect(sent).rejects.toMatchObject({ reason: 'redirects' });
  });
});
