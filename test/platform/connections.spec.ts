// Clients that take for ever over their part of a conversation, or never come to a request.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limitConnections } from '../../src/platform/connections';
import { Signal } from '../support/signal';

const SHORT = { headers: 200, request: 400, idle: 75_000, reading: 200, closing: 100 };
const open: { server?: Server; sockets: Socket[] } = { sockets: [] };

async function serve(answer: RequestListener, patience: Partial<typeof SHORT> = {}): Promise<Server> {
  // How often headers and whole requests are looked at is the maker's to say.
  const server = createServer({ connectionsCheckingInterval: 50 }, answer);
  limitConnections(server, { ...SHORT, ...patience });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.server = server;
  return server;
}

function client(server: Server, words: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.sockets.push(socket);
  socket.write(words);
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

afterEach(() => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  open.server?.closeAllConnections();
  open.server?.close();
});

const GET = 'GET / HTTP/1.1\r\nHost: here\r\n';

test('who never reads what he asked for is cut off', async () => {
  const gone = new Signal();
  const server = await serve((_, response) => {
    response.on('close', gone.raise);
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  client(server, `${GET}\r\n`).pause();
  await gone.times(1);
});

test('who waits for an answer that takes longer is not', async () => {
  const server = await serve((_, response) => {
    server.once('timeout', () => response.end('at last'));
  });
  expect(await heard(client(server, `${GET}Connection: close\r\n\r\n`))).toMatch(/^HTTP\/1\.1 200 [^]*at last$/);
});

test.each([
  ['nothing at all', '', 408, 'request.timeout'],
  ['half a head', 'GET / HTTP/1.1\r\nHo', 408, 'request.timeout'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nhalf', 408, 'request.timeout'],
  ['no HTTP', 'hello there\r\n\r\n', 400, 'request.unreadable'],
  ['a path that is not ASCII', 'GET /\u0080 HTTP/1.1\r\nHost: here\r\n\r\n', 400, 'request.unreadable'],
  ['endless headers', `${GET}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'request.headers-too-large'],
])('who sends %s is told so, and cut off', async (_what, words, status, code) => {
  const server = await serve((request) => request.resume(), { reading: 60_000 });
  const answer = await heard(client(server, words));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('Content-Type: application/problem+json\r\n');
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status, code, type: 'about:blank' });
});

test('who says nothing is let go without a word when silence may last less than headers may', async () => {
  const server = await serve((_, response) => response.end(), { headers: 60_000, request: 60_000 });
  expect(await heard(client(server, ''))).toBe('');
});

test('half an answer is not followed by a refusal', async () => {
  const server = await serve((_, response) => response.write('half'));
  const socket = client(server, `${GET}\r\n`);
  socket.once('data', () => socket.write('no HTTP\r\n\r\n'));
  const answer = await heard(socket);
  expect(answer).toContain('half');
  expect(answer).not.toContain('problem');
});
