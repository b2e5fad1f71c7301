// The ground of every namespace, with a door that exists for this test alone and real clients.
import { IsInt, IsOptional, IsString } from 'class-validator';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../../src/kernel/clock';
import { DomainError } from '../../../src/kernel/domain-error';
import { CreateToken } from '../../../src/platform/auth';
import { type Doorway, type LeaveReason, type SocketDoor, socketEvent, Sockets } from '../../../src/platform/sockets';
import { testApp, type TestApp } from '../../support/app';
import { type SocketClient, socketClient } from '../../support/sockets';

class EchoRequest {
  @IsInt()
  number!: number;

  @IsOptional()
  @IsString()
  text?: string;
}

class RoomRequest {
  @IsString()
  room!: string;
}

class Taken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'test.taken';
}

const left: { user: string; reason: LeaveReason }[] = [];
let order: string[] = [];
let release: () => void = () => undefined;

const door: SocketDoor = {
  name: '/socket/test',
  refusals: { 'test.taken': () => ({ code: 'locked', holder: 'bob' }) },
  admit: (_, { session }) => {
    if (session === 'forbidden') throw new Taken('not with this one');
  },
  hello: (peer) => Promise.resolve({ you: peer.actor.userId }),
  left: (peer, reason) => void left.push({ user: peer.actor.userId, reason }),
  events: {
    echo: socketEvent(EchoRequest, (_, { number, text }) => Promise.resolve({ number, text })),
    nothing: socketEvent(Object, () => Promise.resolve()),
    fail: socketEvent(EchoRequest, () => Promise.reject(new Error('secret: hunter2'))),
    refuse: socketEvent(EchoRequest, () => Promise.reject(new Taken('Bob has it.'))),
    slow: socketEvent(EchoRequest, async (_, { number }) => {
      order.push(`begin ${number}`);
      if (number === 1) await new Promise<void>((resolve) => (release = resolve));
      order.push(`end ${number}`);
    }),
    join: socketEvent(RoomRequest, async (peer, { room }) => peer.join(room)),
    say: socketEvent(RoomRequest, (peer, { room }) =>
      Promise.resolve(peer.broadcast(room, 'said', { by: peer.actor.userId })),
    ),
  },
};

let house: TestApp;
let doorway: Doorway;
const clients: SocketClient[] = [];

beforeAll(async () => {
  house = await testApp({ HORARIUM_SOCKET_MAX_CONNECTIONS: '12' });
  house.app.get(Sockets).open(door);
  doorway = house.app.get(Sockets).doorway(door.name);
});
afterAll(() => house.close());
afterEach(async () => {
  const open = clients.splice(0).filter(({ socket }) => socket.connected);
  const before = left.length;
  for (const client of open) client.close();
  await eventually(() => left.length >= before + open.length && house.app.get(Sockets).count === 0);
  left.length = 0;
});

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

async function client(
  user = 'alice',
  auth: Record<string, unknown> = {},
  namespace = door.name,
): Promise<SocketClient> {
  const made = await socketClient(house.url, namespace, { token: await house.token(user), ...auth });
  clients.push(made);
  return made;
}

describe('coming in', () => {
  it('hello says the time, the end of the session, and what the door adds', async () => {
    const hello = await (await client()).next('hello');
    expect(hello).toEqual({
      server_time: expect.stringMatching(/\+00:00$/),
      session_expires_at: expect.stringMatching(/\+00:00$/),
      recovered: false,
      you: 'alice',
    });
    expect(Date.parse(hello['session_expires_at']) - Date.parse(hello['server_time'])).toBeGreaterThan(3_590_000);
  });

  it.each([
    ['without a token', {}],
    ['with an empty one', { token: '' }],
    ['with one that is no text', { token: { $ne: '' } }],
    ['with a forged one', { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsInRlbmFudF9pZCI6MX0.' }],
    ['with an unknown API key', { token: 'hk_nope' }],
  ])('%s: unauthorized', async (_, auth) => {
    await expect(socketClient(house.url, door.name, auth)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
  });

  it('the door has the last word', async () => {
    const refused = client('alice', { session: 'forbidden' });
    await expect(refused).rejects.toMatchObject({ data: { code: 'locked', holder: 'bob', reason: 'test.taken' } });
  });

  it('nobody sits in the root namespace, or in one that does not exist', async () => {
    await expect(client('alice', {}, '/')).rejects.toMatchObject({ data: { code: 'not_found' } });
    await expect(client('alice', {}, '/socket/nothing')).rejects.toThrow('Invalid namespace');
  });

  it('an API key opens it, too', async () => {
    const { body } = await (await house.as('keyed')).post('/api/api-keys', { name: 'k' }).expect(201);
    const hello = await (await client('keyed', { token: body.key as string })).next('hello');
    expect(hello).toMatchObject({ you: 'keyed', session_expires_at: null });
  });

  it('the client library is served for pages, under the same policy as everything else', async () => {
    expect((await fetch(`${house.url}/socket.io/socket.io.min.js`)).status).toBe(200);
  });

  it('no more than the limit', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => client(`crowd-${index}`)));
    await expect(client('one-too-many')).rejects.toThrow();
  });
});

describe('every event is answered', () => {
  it('with its result', async () => {
    const alice = await client();
    expect(await alice.ask('echo', { number: 7, text: 'x' })).toEqual({ ok: true, number: 7, text: 'x' });
    expect(await alice.ask('nothing')).toEqual({ ok: true });
  });

  it.each([
    ['an unknown event', 'nope', [{}], { code: 'unknown_event' }],
    ['a name of every object', 'toString', [{}], { code: 'unknown_event' }],
    ['an unknown key', 'echo', [{ number: 1, evil: true }], { code: 'bad_request', fields: [{ field: 'evil' }] }],
    ['a wrong type', 'echo', [{ number: '1' }], { code: 'bad_request', fields: [{ field: 'number' }] }],
    ['nothing', 'echo', [], { code: 'bad_request', fields: [{ field: 'number' }] }],
    ['a text', 'echo', ['{}'], { code: 'bad_request' }],
    ['a list', 'echo', [[1]], { code: 'bad_request' }],
    ['null', 'echo', [null], { code: 'bad_request' }],
    ['two payloads', 'echo', [{ number: 1 }, { number: 2 }], { code: 'bad_request' }],
    ['bytes', 'echo', [Buffer.from('x')], { code: 'bad_request' }],
    ['NUL', 'echo', [{ number: 1, text: 'a\0b' }], { code: 'bad_request' }],
    ['__proto__', 'echo', [JSON.parse('{"number":1,"__proto__":{"x":1}}')], { code: 'bad_request' }],
    ['17 KiB', 'echo', [{ number: 1, text: 'x'.repeat(17 * 1024) }], { code: 'payload_too_large' }],
    ['a refusal with details', 'refuse', [{ number: 1 }], { code: 'locked', holder: 'bob', reason: 'test.taken' }],
  ])('%s', async (_, event, payload, error) => {
    const { fields, ...rest } = error as { code: string; fields?: { field: string }[] };
    const answer = await (await client()).ask(event, ...payload);
    expect(answer).toMatchObject({ ok: false, error: rest });
    if (fields !== undefined) expect(answer['error'].fields).toMatchObject(fields);
  });

  it('also when it fails, and says nothing from inside', async () => {
    const answer = await (await client()).ask('fail', { number: 1 });
    expect(answer).toEqual({ ok: false, error: { code: 'internal', message: 'Something went wrong on our side.' } });
    expect(house.log.join('')).toContain('/socket/test fail failed');
  });

  it('in order, one after the other', async () => {
    order = [];
    const alice = await client();
    const both = Promise.all([alice.ask('slow', { number: 1 }), alice.ask('slow', { number: 2 })]);
    await eventually(() => order.length > 0);
    expect(order).toEqual(['begin 1']);
    release();
    await both;
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('a flood is refused, one by one', async () => {
    const alice = await client();
    const answers = await Promise.all(Array.from({ length: 60 }, () => alice.ask('echo', { number: 1 })));
    const refused = answers.filter(({ ok }) => ok !== true);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(40);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]).toMatchObject({ error: { code: 'rate_limited' } });
  });

  it('more than the transport takes ends the connection', async () => {
    const alice = await client();
    alice.socket.emit('echo', { number: 1, text: 'x'.repeat(80 * 1024) });
    expect(await alice.disconnected()).toBe('transport close');
  });
});

describe('the session', () => {
  const token = async (userId: string, ttlSeconds: number): Promise<string> => {
    const now = house.app.get<Clock>(Clock).now();
    return (await house.app.get(CreateToken).run({ tenantId: 1, userId, roles: ['user'], ttlSeconds }, now)).token;
  };

  it('of a token that ends in 3 s: warned, told, deaf, cut', async () => {
    const alice = await client('alice', { token: await token('alice', 3) });
    await alice.next('auth:expiring');
    expect(await alice.ask('echo', { number: 1 })).toMatchObject({ ok: true });
    expect(await alice.next('auth:expired')).toEqual({ expires_at: expect.any(String) });
    expect(await alice.ask('echo', { number: 1 })).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(await alice.disconnected()).toBe('io server disconnect');
  });

  it('goes on with a new token of the same person, and of nobody else', async () => {
    const alice = await client('alice', { token: await token('alice', 3) });
    expect(await alice.ask('auth', { token: await house.token('bob') })).toMatchObject({
      ok: false,
      error: { code: 'forbidden' },
    });
    const other = await house.tenant('elsewhere');
    expect(await alice.ask('auth', { token: await house.token('alice', { tenantId: other }) })).toMatchObject({
      error: { code: 'forbidden' },
    });
    expect(await alice.ask('auth', { token: 'nonsense' })).toMatchObject({ error: { code: 'unauthorized' } });
    expect(await alice.ask('auth', {})).toMatchObject({ error: { code: 'bad_request' } });
    await alice.next('auth:expired');
    const renewed = await alice.ask('auth', { token: await token('alice', 600) });
    expect(renewed).toEqual({ ok: true, expires_at: expect.any(String) });
    expect(await alice.ask('echo', { number: 1 })).toMatchObject({ ok: true });
  });
});

describe('rooms', () => {
  it('hear what is said in them, until a right is withdrawn', async () => {
    const [alice, bob] = [await client('alice'), await client('bob')];
    await Promise.all([alice.ask('join', { room: 'r' }), bob.ask('join', { room: 'r' })]);
    await alice.ask('say', { room: 'r' });
    expect(await bob.next('said')).toEqual({ by: 'alice' });
    doorway.emit('r', 'told', { by: 'house' });
    expect([await alice.next('told'), await bob.next('told')]).toEqual([{ by: 'house' }, { by: 'house' }]);
    doorway.evict({ tenantId: 1, userId: 'bob' }, 'r');
    doorway.emit('r', 'secret', {});
    await alice.next('secret');
    await bob.ask('nothing');
    expect(bob.heard.map(({ event }) => event)).toEqual(['hello', 'said', 'told']);
  });

  it('leaving is told apart: by will, by a lost line', async () => {
    const [alice, bob] = [await client('alice'), await client('bob')];
    await Promise.all([alice.next('hello'), bob.next('hello')]);
    alice.socket.disconnect();
    await eventually(() => left.length === 1);
    bob.socket.io.engine.close();
    await eventually(() => left.length === 2);
    expect(left).toEqual([
      { user: 'alice', reason: 'client' },
      { user: 'bob', reason: 'lost' },
    ]);
    left.length = 0;
  });
});

it('whoever stops reading is cut, and memory is given back', async () => {
  const alice = await client();
  const paused = await pausedReader(house.url, await house.token('mallory'));
  const payload = { text: randomBytes(5_000).toString('hex') };
  const memory = (): number => (globalThis.gc?.(), process.memoryUsage().rss);
  const before = memory();
  let most = 0;
  for (let sent = 0; sent < 20_000 && !left.some(({ user }) => user === 'mallory'); sent++) {
    doorway.emit('flood', 'news', payload, { volatile: false });
    if (sent % 50 === 0) {
      most = Math.max(most, process.memoryUsage().rss);
      await alice.ask('nothing');
    }
  }
  expect(left).toEqual([{ user: 'mallory', reason: 'cut' }]);
  expect((most - before) / 1024 ** 2).toBeLessThan(20);
  paused.destroy();
  expect(
    (await fetch(`${house.url}/metrics`).then((page) => page.text())).match(/slow_consumers_total (\d+)/)?.[1],
  ).toBe('1');
  left.length = 0;
});

/** Speaks the protocol by hand: connects, joins, and never reads again. */
async function pausedReader(url: string, token: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  let text = '';
  const seen = (what: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (part: Buffer): void => {
        text += part.toString('latin1');
        if (!what.test(text)) return;
        socket.off('data', look);
        resolve();
      };
      socket.on('data', look);
    });
  await seen(/"sid"/);
  socket.write(frame(`40/socket/test,${JSON.stringify({ token })}`));
  await seen(/hello/);
  socket.write(frame(`42/socket/test,1["join",{"room":"flood"}]`));
  await seen(/43\/socket\/test,1/);
  socket.pause();
  return socket;
}

function frame(text: string): Buffer {
  const data = Buffer.from(text);
  const head =
    data.length < 126
      ? Buffer.from([0x81, 0x80 | data.length])
      : Buffer.from([0x81, 0xfe, data.length >> 8, data.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), data]);
}
