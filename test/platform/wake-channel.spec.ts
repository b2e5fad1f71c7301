import { Logger } from '@nestjs/common';
import { WakeChannel, type WakeChannelSettings } from '../../src/platform/persistence/wake-channel';
import { testDatabase, type TestDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { Signal } from '../support/signal';

const TOPIC = 'due';
const BACKEND = `select pid from pg_stat_activity where datname = current_database() and application_name = $1`;

describe('the wake channel', () => {
  let db: TestDatabase;
  let open: WakeChannel[] = [];
  let proxies: DatabaseProxy[] = [];
  let warn: jest.SpyInstance;

  /** A started channel whose first connection is made, and the signal of its listener. */
  const channel = async (name: string, more: Partial<WakeChannelSettings> = {}) => {
    const made = new WakeChannel({ url: db.url, applicationName: name, ...more });
    open.push(made);
    const woken = new Signal();
    await made.listen(TOPIC, woken.raise);
    made.start();
    await woken.times(1);
    return { channel: made, woken };
  };
  const proxied = async (): Promise<DatabaseProxy> => {
    const proxy = await DatabaseProxy.before(db.url);
    proxies.push(proxy);
    return proxy;
  };

  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
  });
  afterEach(async () => {
    for (const each of open) await each.stop();
    for (const each of proxies) await each.close();
    open = [];
    proxies = [];
    jest.restoreAllMocks();
  });
  afterAll(() => db.close());

  it('wakes the listeners of other processes, and its own without waiting for the database', async () => {
    const one = await channel('one');
    const other = await channel('other');
    const sent = one.channel.notify(TOPIC);
    expect(one.woken.count).toBe(2);
    await sent;
    await other.woken.times(2);
    expect(one.channel.state).toBe('listening');
  });

  it('wakes its own listeners once, not again when the notification comes back', async () => {
    const one = await channel('one');
    const witness = await channel('witness');
    const later = new Signal();
    await one.channel.listen('later', later.raise);
    await one.channel.notify(TOPIC);
    await witness.woken.times(2);
    // Notifications arrive in the order of their commits.
    await witness.channel.notify('later');
    await later.times(1);
    expect(one.woken.count).toBe(2);
  });

  it('wakes nobody of another topic, and nobody who stopped listening', async () => {
    const one = await channel('one');
    const other = new Signal();
    await one.channel.listen('other', other.raise);
    const stop = await one.channel.listen(TOPIC, other.raise);
    await stop();
    await one.channel.notify(TOPIC);
    expect(other.count).toBe(0);
  });

  it('connects again after its back end was killed, and wakes once, since wakes may have been lost', async () => {
    const one = await channel('killed');
    const sender = await channel('sender');
    const [before] = (await db.admin.query<{ pid: number }>(BACKEND, ['killed'])).rows;
    await db.admin.query('select pg_terminate_backend($1)', [before?.pid]);
    await one.woken.times(2);
    await sender.channel.notify(TOPIC);
    await one.woken.times(3);
    expect(one.woken.count).toBe(3);
    const after = (await db.admin.query<{ pid: number }>(BACKEND, ['killed'])).rows;
    expect(after).toHaveLength(1);
    expect(after[0]?.pid).not.toBe(before?.pid);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('finds out that its line is half open, and takes a new one', async () => {
    const proxy = await proxied();
    const half = await channel('half', { url: proxy.url(db.url), keepaliveMs: 20, answerWithinMs: 500 });
    proxy.muteOpenLines();
    await half.woken.times(2);
    await (await channel('sender')).channel.notify(TOPIC);
    await half.woken.times(3);
  });

  it('does not keep a sender waiting on a half-open line, nor fail it', async () => {
    const proxy = await proxied();
    const half = await channel('half', { url: proxy.url(db.url), answerWithinMs: 500 });
    proxy.muteOpenLines();
    await half.channel.notify(TOPIC);
    await half.woken.times(3);
  });

  it('tries again when a connection is taken but never answered', async () => {
    const proxy = await proxied();
    proxy.swallowNewLines(true);
    const made = new WakeChannel({ url: proxy.url(db.url), applicationName: 'mute', answerWithinMs: 100 });
    open.push(made);
    const woken = new Signal();
    const gaveUp = new Promise((resolve) => warn.mockImplementation(resolve));
    await made.listen(TOPIC, woken.raise);
    made.start();
    await gaveUp;
    expect(made.state).toBe('connecting');
    proxy.swallowNewLines(false);
    await woken.times(1);
  });

  it('says that it only polls behind a pooler in transaction mode, where notifications are lost', async () => {
    const proxy = await proxied();
    proxy.dropNotifications();
    const warned = new Promise<string>((resolve) => warn.mockImplementation(resolve));
    const deaf = await channel('deaf', { url: proxy.url(db.url), answerWithinMs: 1_000 });
    expect(await warned).toContain('polling only');
    expect(deaf.channel.state).toBe('deaf');
    await deaf.channel.notify(TOPIC);
    expect(deaf.woken.count).toBe(2);
  });

  it('wakes only its own listeners when there is no database', async () => {
    const alone = new WakeChannel({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'alone' });
    open.push(alone);
    const woken = new Signal();
    await alone.listen(TOPIC, woken.raise);
    alone.start();
    await alone.notify(TOPIC);
    expect(woken.count).toBe(1);
  });

  it('leaves no connection behind when stopped', async () => {
    const one = await channel('stopped');
    await one.channel.stop();
    await one.channel.notify(TOPIC);
    // The server takes a moment to end a back end; one that stays would let this test run out of time.
    while ((await db.admin.query(BACKEND, ['stopped'])).rows.length > 0);
    expect(one.channel.state).toBe('stopped');
  });

  it('keeps listening when a listener throws', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const one = await channel('one');
    const stop = await one.channel.listen(TOPIC, () => {
      throw new Error('listener');
    });
    const after = new Signal();
    await one.channel.listen(TOPIC, after.raise);
    await one.channel.notify(TOPIC);
    expect(after.count).toBe(1);
    await stop();
  });
});
