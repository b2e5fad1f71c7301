// Two processes' worth of house on one database and one Redis: what one of them says, the clients of the other hear.
import { IsString } from 'class-validator';
import { type Doorway, type SocketDoor, socketEvent, Sockets } from '../../src/platform/sockets';
import { testApp, type TestApp } from '../support/app';
import { TestRedis } from '../support/redis';
import { type SocketClient, socketClient } from '../support/sockets';

class RoomRequest {
  @IsString()
  room!: string;
}

const door: SocketDoor = {
  name: '/socket/test',
  events: { join: socketEvent(RoomRequest, async (peer, { room }) => peer.join(room)) },
};

let redis: TestRedis;
let houses: readonly [TestApp, TestApp];
let doorways: readonly [Doorway, Doorway];
const clients: SocketClient[] = [];

beforeAll(async () => {
  redis = await TestRedis.start();
  const first = await testApp({ REDIS_URL: redis.url });
  houses = [first, await testApp({ REDIS_URL: redis.url }, undefined, first.database)];
  for (const { app } of houses) app.get(Sockets).open(door);
  doorways = [houses[0].app.get(Sockets).doorway(door.name), houses[1].app.get(Sockets).doorway(door.name)];
});
afterAll(async () => {
  for (const client of clients) client.close();
  await houses[1].close();
  await houses[0].close();
  await redis.close();
});

async function joined(house: TestApp, user: string, room: string): Promise<SocketClient> {
  const client = await socketClient(house.url, door.name, { token: await house.token(user) });
  clients.push(client);
  expect(await client.ask('join', { room })).toEqual({ ok: true });
  return client;
}

it('both ways, in order, from the very first message on', async () => {
  const [alice, bob] = [await joined(houses[0], 'alice', 'r'), await joined(houses[1], 'bob', 'r')];
  for (let number = 0; number < 200; number++) doorways[0].emit('r', 'news', { number });
  await bob.next('news', ({ number }) => number === 199);
  doorways[1].emit('r', 'back', {});
  await Promise.all([alice.next('back'), bob.next('back')]);
  const numbers = bob.heard.filter(({ event }) => event === 'news').map(({ payload }) => payload['number']);
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, number) => number));
});

it('a right that one of them withdraws is gone everywhere', async () => {
  const [alice, bob] = [await joined(houses[0], 'alice', 's'), await joined(houses[1], 'bob', 's')];
  doorways[0].evict({ tenantId: 1, userId: 'bob' }, 's');
  doorways[0].emit('s', 'secret', {});
  doorways[0].emit('r', 'after', {});
  await alice.next('secret');
  const witness = await joined(houses[1], 'carol', 'r');
  doorways[0].emit('r', 'last', {});
  await witness.next('last');
  expect(bob.heard.map(({ event }) => event)).not.toContain('secret');
});

it('while Redis is away each serves its own, and after its return both again', async () => {
  const [alice, bob] = [await joined(houses[0], 'alice', 't'), await joined(houses[1], 'bob', 't')];
  await redis.stop();
  doorways[0].emit('t', 'alone', { number: 1 });
  await alice.next('alone');
  const health = (await fetch(`${houses[0].url}/health/ready`).then((answer) => answer.json())) as {
    status: string;
    checks: { sockets: { status: string } };
  };
  expect(health.checks.sockets.status).toBe('warn');
  await redis.start();
  // Redis has forgotten everything; when the other one listens again, nobody can tell from outside.
  const heard = bob.next('again');
  let stop = false;
  void heard.then(() => (stop = true));
  while (!stop) {
    doorways[0].emit('t', 'again', {});
    await alice.next('again');
  }
  expect(bob.heard.map(({ event }) => event)).not.toContain('alone');
});

it('a house stops in time also when Redis was never there', async () => {
  const lone = await testApp({ REDIS_URL: 'redis://127.0.0.1:1' }, undefined, houses[0].database);
  lone.app.get(Sockets).open(door);
  const alice = await joined(lone, 'alice', 'r');
  lone.app.get(Sockets).doorway(door.name).emit('r', 'news', {});
  await alice.next('news');
  await lone.close();
  expect(['transport close', 'io server disconnect']).toContain(await alice.disconnected());
  expect(alice.heard.at(-1)).toMatchObject({ event: 'server:restart', payload: { after_ms: expect.any(Number) } });
});
