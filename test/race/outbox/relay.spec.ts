// Events of the outbox between transactions that overlap, relays that compete, and relays that die.
// Seen red: reading by `id > position` alone loses the event of the transaction that ends later.
import { Logger } from '@nestjs/common';
import { systemActor } from '../../../src/kernel/actor';
import { Metrics } from '../../../src/platform/metrics/metrics';
import { appendEvents, type OutboxConsumer, OutboxConsumers, type OutboxEvent } from '../../../src/platform/outbox';
import { OutboxHealth, OutboxMetrics } from '../../../src/platform/outbox/outbox-metrics';
import { OutboxRelay } from '../../../src/platform/outbox/outbox-relay';
import { OutboxRetention } from '../../../src/platform/outbox/outbox-retention';
import { OutboxStore } from '../../../src/platform/outbox/outbox-store';
import { Sessions, type Tx } from '../../../src/platform/persistence/sessions';
import { testDatabase, type TestDatabase } from '../../support/database';

const NOON = new Date('2026-07-27T12:00:00Z');
const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1_000);
const WRITER = systemActor('test writer');
const clock = { now: () => NOON };

let db: TestDatabase;
let wakes: string[];
let sessions: Sessions;

beforeAll(async () => {
  for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();
  db = await testDatabase({ poolSize: 12 });
  await db.admin.query("insert into tenants (name, created_at) values ('second', now())");
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.admin.query('delete from outbox_retries; delete from outbox_events; delete from outbox_consumers');
  await db.admin.query('update outbox_shift set shift = 0');
  wakes = [];
  sessions = new Sessions(db.source, { notify: (topic) => Promise.resolve(void wakes.push(topic)) });
});

class Listener implements OutboxConsumer {
  readonly heard: string[] = [];
  poison = new Set<string>();
  constructor(
    readonly name: string,
    readonly types: readonly string[] = ['thing.made'],
  ) {}
  consume(events: readonly OutboxEvent[]): Promise<void> {
    const bad = events.find(({ payload }) => this.poison.has(String(payload.nr)));
    if (bad !== undefined) return Promise.reject(new Error(`cannot take ${String(bad.payload.nr)}`));
    this.heard.push(...events.map(({ tenantId, payload }) => `${tenantId}:${String(payload.nr)}`));
    return Promise.resolve();
  }
}

class DyingStore extends OutboxStore {
  dead = false;
  override move(...given: Parameters<OutboxStore['move']>): Promise<boolean> {
    return this.dead ? Promise.reject(new Error('killed')) : super.move(...given);
  }
  override release(...given: Parameters<OutboxStore['release']>): Promise<void> {
    return this.dead ? Promise.reject(new Error('killed')) : super.release(...given);
  }
}

function relayOf(id: string, listeners: readonly OutboxConsumer[], store = new OutboxStore(sessions), pageSize = 3) {
  const consumers = new OutboxConsumers();
  for (const listener of listeners) consumers.register(listener);
  const metrics = new OutboxMetrics(new Metrics(), store, clock);
  return new OutboxRelay(store, consumers, metrics, { id }, clock, { leaseSeconds: 30, pageSize });
}

const made = (nr: string | number, tenantId = 1, type = 'thing.made') => ({
  tenantId,
  type,
  payload: { nr },
  occurredAt: NOON,
});
const append = (...events: ReturnType<typeof made>[]): Promise<void> =>
  sessions.run(WRITER, (tx) => appendEvents(tx, events));

/** Transactions of other spec files on the same server hold the horizon back, too: until it has passed. */
async function until(done: () => boolean, relay: OutboxRelay, now = NOON): Promise<void> {
  while (!done()) await relay.run(now);
}

/** A transaction that has done `work` and waits for a word to commit. */
async function held(work: (tx: Tx) => Promise<void>): Promise<{ go: () => Promise<void>; tx: Tx }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return new Promise((resolve, reject) => {
    const end = sessions.run(WRITER, async (tx) => {
      await work(tx);
      resolve({ tx, go: () => (release(), end) });
      await released;
    });
    end.catch(reject);
  });
}

test('events are taken in order, by those who asked for their type, page after page', async () => {
  const [a, b] = [new Listener('a'), new Listener('b', ['thing.sold'])];
  const relay = relayOf('one', [a, b]);
  await append(made('before anybody listened'));
  await relay.open();
  for (let nr = 1; nr <= 8; nr++) await append(made(nr), made(nr, 1, 'thing.sold'));
  await until(() => a.heard.length >= 8 && b.heard.length >= 8, relay);
  expect(a.heard.slice(-8)).toEqual(['1:1', '1:2', '1:3', '1:4', '1:5', '1:6', '1:7', '1:8']);
  expect(b.heard).toEqual(a.heard.slice(-8));
  expect(wakes).toEqual(Array(9).fill('outbox-relay'));
});

test('what a consumer did not ask for is passed by, and costs it nothing', async () => {
  const [a, b] = [new Listener('a'), new Listener('b', ['thing.sold'])];
  const store = new OutboxStore(sessions);
  const leases = jest.spyOn(store, 'leaseAndPage');
  const relay = relayOf('one', [a, b], store);
  await relay.open();
  await append(made(1));
  await until(() => a.heard.length === 1, relay);
  const passed = async (): Promise<boolean> => (await store.look([b])).every(({ behind }) => !behind);
  while (!(await passed())) await relay.run(NOON);
  expect(leases.mock.calls.filter(([{ name }]) => name === 'b')).toEqual([]);
  expect(b.heard).toEqual([]);
});

test('after a round that found something there is a pause, and the next wake is early', async () => {
  const listener = new Listener('a');
  const consumers = new OutboxConsumers();
  consumers.register(listener);
  const store = new OutboxStore(sessions);
  const metrics = new OutboxMetrics(new Metrics(), store, clock);
  const settings = { leaseSeconds: 30, pageSize: 3, gapMs: 1_000 };
  const relay = new OutboxRelay(store, consumers, metrics, { id: 'one' }, clock, settings);
  await relay.open();
  await append(made(1));
  for (let seconds = 0; listener.heard.length === 0; seconds++) await relay.run(later(-3_600 + seconds));
  const looks = jest.spyOn(store, 'look');
  await relay.run(later(0));
  await append(made(2));
  let found = 0;
  while (listener.heard.length < 2) await relay.run(later(++found));
  looks.mockClear();
  expect(await relay.run(later(found + 0.5))).toEqual(later(found + 1));
  expect(looks).not.toHaveBeenCalled();
});

test('a transaction that is rolled back leaves no event and wakes nobody', async () => {
  const fails = sessions.run(WRITER, async (tx) => {
    await appendEvents(tx, [made(1)]);
    throw new Error('changed my mind');
  });
  await expect(fails).rejects.toThrow('changed my mind');
  expect((await db.admin.query('select 1 from outbox_events')).rowCount).toBe(0);
  expect(wakes).toEqual([]);
});

test('an event whose transaction ends later is not lost, and nothing after it is early', async () => {
  const listener = new Listener('a');
  const relay = relayOf('one', [listener]);
  await relay.open();
  const early = await held((tx) => appendEvents(tx, [made('first id')]));
  await append(made('second id'));
  const again = await relay.run(NOON);
  expect(listener.heard).toEqual([]);
  expect(again).toEqual(new Date(NOON.getTime() + 100));
  await early.go();
  await until(() => listener.heard.length === 2, relay);
  expect(listener.heard).toEqual(['1:first id', '1:second id']);
});

test('an event below one that was taken already is taken as well', async () => {
  const listener = new Listener('a');
  const relay = relayOf('one', [listener]);
  await relay.open();
  const older = await held(async (tx) => void (await tx.query('select pg_current_xact_id()')));
  const younger = await held((tx) => appendEvents(tx, [made('lower id')]));
  await appendEvents(older.tx, [made('higher id')]);
  await older.go();
  await until(() => listener.heard.length === 1, relay);
  await younger.go();
  await until(() => listener.heard.length === 2, relay);
  expect(listener.heard).toEqual(['1:higher id', '1:lower id']);
});

test('of two relays one serves a consumer at a time: each event once, in order', async () => {
  const listener = new Listener('a');
  const [one, two] = [relayOf('one', [listener]), relayOf('two', [listener])];
  await Promise.all([one.open(), two.open()]);
  for (let nr = 1; nr <= 40; nr++) await append(made(nr));
  await Promise.all([until(() => listener.heard.length >= 40, one), until(() => listener.heard.length >= 40, two)]);
  await Promise.all([one.run(NOON), two.run(NOON)]);
  expect(listener.heard).toEqual(Array.from({ length: 40 }, (_, nr) => `1:${nr + 1}`));
});

test('a relay killed between taking and noting: the events come again, after its lease', async () => {
  const listener = new Listener('a');
  const dying = new DyingStore(sessions);
  const [one, two] = [relayOf('one', [listener], dying), relayOf('two', [listener])];
  await one.open();
  await append(made(1), made(2));
  dying.dead = true;
  const killed = async (): Promise<void> => {
    while (listener.heard.length === 0) await one.run(NOON);
  };
  await expect(killed()).rejects.toThrow('killed');
  await two.run(NOON);
  expect(listener.heard).toEqual(['1:1', '1:2']);
  await db.admin.query("update outbox_consumers set lease_expires_at = horarium_now() - interval '1 ms'");
  await until(() => listener.heard.length > 2, two);
  expect(listener.heard).toEqual(['1:1', '1:2', '1:1', '1:2']);
});

test('a relay that comes back late, its lease taken over, moves nothing', async () => {
  const store = new OutboxStore(sessions);
  await store.open(['a']);
  await append(made(1));
  expect(await store.lease('a', 'slow', 30)).toBe(true);
  const page = await store.page('a', 'slow', ['thing.made'], 10);
  await db.admin.query("update outbox_consumers set lease_expires_at = horarium_now() - interval '1 ms'");
  expect(await store.lease('a', 'quick', 30)).toBe(true);
  const to = { window: page!.window, until: null, holds: [], leaseSeconds: 30 };
  expect(await store.move('a', 'slow', to)).toBe(false);
  expect(await store.page('a', 'slow', ['thing.made'], 10)).toBeNull();
  expect(await store.move('a', 'quick', to)).toBe(true);
});

test('a poison event waits with the later ones of its tenant, in order; others do not wait', async () => {
  const [a, b] = [new Listener('a'), new Listener('b')];
  const relay = relayOf('one', [a, b]);
  await relay.open();
  a.poison.add('2');
  await append(made(1), made(2), made(3), made(4, 2), made(5));
  await until(() => b.heard.length === 5 && a.heard.length === 2, relay);
  await append(made(6), made(7, 2));
  await until(() => b.heard.length === 7 && a.heard.length === 3, relay);
  expect(a.heard).toEqual(['1:1', '2:4', '2:7']);
  const health = new OutboxHealth(new OutboxStore(sessions), clock);
  expect(await health.check()).toMatchObject({ status: 'warn', held: 4, message: expect.stringContaining(' at a;') });

  expect(await relay.run(later(1))).not.toBeNull();
  await relay.run(later(2));
  const { rows } = await db.admin.query('select failures, retry_at from outbox_retries order by event_id limit 1');
  expect(rows).toEqual([{ failures: 2, retry_at: later(6) }]);
  a.poison.clear();
  await until(() => a.heard.length === 7, relay, later(6));
  expect(a.heard.slice(3)).toEqual(['1:2', '1:3', '1:5', '1:6']);
  expect((await db.admin.query('select 1 from outbox_retries')).rowCount).toBe(0);
});

test('a database restored from a dump goes on after its newest event, though transaction ids begin anew', async () => {
  const listener = new Listener('a');
  await relayOf('old', [listener]).open();
  await append(made('taken'), made('not taken'));
  const far = 9_000_000_000;
  await db.admin.query('update outbox_events set writer = $1 + id', [far]);
  await db.admin.query('update outbox_consumers set done_writer = (select max(writer) from outbox_events)');
  const relay = relayOf('new', [listener]);
  await relay.open();
  await append(made('new'));
  await until(() => listener.heard.length === 2, relay);
  expect(listener.heard).toEqual(['1:not taken', '1:new']);
});

test('old events are forgotten when all have passed them, and not before', async () => {
  const listener = new Listener('a');
  const relay = relayOf('one', [listener]);
  const retention = new OutboxRetention(new OutboxStore(sessions), 7);
  await relay.open();
  await append(made(1));
  expect(await retention.run(later(8 * 86_400))).toBe(0);
  await until(() => listener.heard.length === 1, relay);
  expect(await retention.run(later(6 * 86_400))).toBe(0);
  expect(await retention.run(later(8 * 86_400))).toBe(1);
});
