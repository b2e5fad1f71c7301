// The promises of NotificationRepository and PreferenceRepository: in memory, which use cases are tested with, and on
// PostgreSQL.
import { randomUUID } from 'node:crypto';
import { systemActor } from '../../../src/kernel/actor';
import type { Notification } from '../../../src/notifications/domain/notification';
import { SqlNotificationRepository } from '../../../src/notifications/outbound/sql-notification-repository';
import { SqlPreferenceRepository } from '../../../src/notifications/outbound/sql-preference-repository';
import type { NotificationRepository } from '../../../src/notifications/ports/notification-repository';
import type { PreferenceRepository } from '../../../src/notifications/ports/preference-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { alice, bob, elsewhere, failed, later, NOON, told } from '../../support/notifications/facts';
import { InMemoryNotifications, InMemoryPreferences } from '../../support/notifications/in-memory-notifications';

interface Books {
  readonly notifications: NotificationRepository;
  readonly preferences: PreferenceRepository;
}

const ALL = { unreadOnly: false, limit: 100 };
const IMMEDIATE = { notifyOnFailure: null, notifyOnSuccess: null, digestSeconds: 0 };
const words = (rows: readonly Notification[]): string[] => rows.map(({ seq, title }) => `${seq} ${title}`);

function promises(open: () => Promise<Books>): void {
  let books: Books;
  let notifications: NotificationRepository;
  beforeEach(async () => {
    books = await open();
    ({ notifications } = books);
  });
  const list = async (actor = alice) => words(await notifications.list(actor, ALL));

  describe('what is said of facts', () => {
    test('in its receiver’s room, with the next sequence, and nothing twice of one fact', async () => {
      const news = failed('News');
      const [first] = await notifications.take([news], NOON);
      expect(first).toMatchObject({ room: 'user:alice', seq: 1, kind: 'run.failed', createdAt: NOON, readAt: null });
      expect(await notifications.take([news], NOON)).toEqual([]);
      expect(await list()).toEqual(['1 News failed: no']);
    });
    test('each room counts by itself, and so does each tenant', async () => {
      const offline = told('agent.offline', { name: 'Agent 1' });
      await notifications.take([failed('a'), failed('b', 'bob'), offline, failed('c', 'alice', 2)], NOON);
      expect((await list()).sort()).toEqual(['1 Agent 1 is offline', '1 a failed: no']);
      expect((await list(bob)).sort()).toEqual(['1 Agent 1 is offline', '1 b failed: no']);
      expect(await list(elsewhere)).toEqual(['1 c failed: no']);
    });
    test('not what its receiver does not want: of one task, else of all', async () => {
      await books.preferences.put(alice, '', { ...IMMEDIATE, notifyOnFailure: false }, NOON);
      await books.preferences.put(alice, 'loud', { ...IMMEDIATE, notifyOnFailure: true, notifyOnSuccess: true }, NOON);
      const success = told('run.succeeded', { task_id: 'loud', task_title: 'loud', user_id: 'alice' });
      await notifications.take([failed('quiet'), failed('loud'), success], NOON);
      expect((await list()).sort()).toEqual(['1 loud failed: no', '2 loud has run']);
    });
    test('what must be known cannot be switched off', async () => {
      await books.preferences.put(alice, '', { ...IMMEDIATE, notifyOnFailure: false }, NOON);
      await notifications.take([told('webhook.disabled', { name: 'mine', reason: 'gone', user_id: 'alice' })], NOON);
      expect(await list()).toEqual(['1 The webhook mine was disabled: gone']);
    });
  });

  describe('digests: after one of a kind was told, more are collected', () => {
    test('they have no sequence and are not seen before they are due; then they are one', async () => {
      await notifications.take([failed('one'), failed('two')], NOON);
      expect(await notifications.take([failed('three')], later(60))).toEqual([]);
      expect(await list()).toEqual(['1 one failed: no']);
      expect(await notifications.publishDue(later(299))).toEqual({ published: [], next: later(300) });
      const { published, next } = await notifications.publishDue(later(300));
      expect(next).toBeNull();
      expect(words(published)).toEqual(['2 2 more runs failed']);
      expect(published[0]?.data).toMatchObject({
        count: 2,
        items: [{ title: 'two failed: no' }, { title: 'three failed: no' }],
      });
      expect((await notifications.publishDue(later(301))).published).toEqual([]);
    });
    test('one that stayed alone is said as if it had not been collected', async () => {
      await notifications.take([failed('one'), failed('two')], NOON);
      expect(words((await notifications.publishDue(later(300))).published)).toEqual(['2 two failed: no']);
    });
    test('after a quiet window the next one is told at once', async () => {
      await notifications.take([failed('one')], NOON);
      expect(await notifications.take([failed('two')], later(299))).toEqual([]);
      await notifications.publishDue(later(599));
      expect(words(await notifications.take([failed('three')], later(899)))).toEqual(['3 three failed: no']);
    });
    test('other kinds do not wait', async () => {
      await notifications.take([failed('one')], NOON);
      const failing = told('task.failing', { task_title: 'one', user_id: 'alice', failures_in_a_row: 3 });
      expect(await notifications.take([failing], NOON)).toHaveLength(1);
    });
    test('whoever wants none is told of each', async () => {
      await books.preferences.put(alice, '', IMMEDIATE, NOON);
      expect(await notifications.take([failed('one'), failed('two')], NOON)).toHaveLength(2);
    });
  });

  describe('reading', () => {
    beforeEach(async () => {
      await books.preferences.put(alice, '', IMMEDIATE, NOON);
      for (let n = 1; n <= 5; n++) await notifications.take([failed(`t${n}`)], later(n));
    });
    test('newest first, page after page', async () => {
      const page = await notifications.list(alice, { ...ALL, limit: 2 });
      expect(words(page)).toEqual(['5 t5 failed: no', '4 t4 failed: no']);
      const { createdAt, id } = page[1]!;
      const rest = await notifications.list(alice, { ...ALL, after: { createdAt, id } });
      expect(words(rest)).toEqual(['3 t3 failed: no', '2 t2 failed: no', '1 t1 failed: no']);
    });
    test('read is read, for this person; somebody else’s is not there', async () => {
      const [newest] = await notifications.list(alice, ALL);
      expect(await notifications.markRead(alice, newest!.id, later(60))).toMatchObject({ readAt: later(60) });
      expect(await notifications.markRead(alice, newest!.id, later(90))).toMatchObject({ readAt: later(60) });
      expect(await notifications.markRead(bob, newest!.id, NOON)).toBeUndefined();
      expect(await notifications.markRead(elsewhere, newest!.id, NOON)).toBeUndefined();
      expect(await notifications.unread(alice)).toBe(4);
      expect(await notifications.list(alice, { ...ALL, unreadOnly: true })).toHaveLength(4);
      expect(await notifications.markAllRead(alice, later(60))).toBe(4);
      expect(await notifications.unread(alice)).toBe(0);
    });
    test('since a sequence: oldest first, and whether there are more', async () => {
      const { seq, missed, truncated } = await notifications.since(alice, 'user:alice', 2, 2);
      expect([seq, words(missed), truncated]).toEqual([5, ['3 t3 failed: no', '4 t4 failed: no'], true]);
      expect(await notifications.since(alice, 'user:alice', 5, 2)).toEqual({ seq: 5, missed: [], truncated: false });
      expect(await notifications.since(alice, 'user:alice', undefined, 2)).toMatchObject({ seq: 5, missed: [] });
      expect(await notifications.since(elsewhere, 'user:alice', 0, 2)).toEqual({
        seq: 0,
        missed: [],
        truncated: false,
      });
    });
    test('what is old is forgotten; the sequence goes on', async () => {
      expect(await notifications.forget(systemActor('test'), later(4))).toBe(3);
      expect(await list()).toEqual(['5 t5 failed: no', '4 t4 failed: no']);
      expect(words(await notifications.take([failed('t6')], later(6)))).toEqual(['6 t6 failed: no']);
    });
  });

  test('a reload takes a sequence once for each operation of a person, and is in no list', async () => {
    const reload = { opId: 'o1', reason: 'saved' };
    expect(await notifications.addReload(alice, 'discussion:7', reload, NOON)).toEqual({ seq: 1, fresh: true });
    expect(await notifications.addReload(alice, 'discussion:7', reload, NOON)).toEqual({ seq: 1, fresh: false });
    expect(await notifications.addReload(bob, 'discussion:7', reload, NOON)).toEqual({ seq: 2, fresh: true });
    expect(await notifications.addReload(alice, 'user:alice', reload, NOON)).toEqual({ seq: 1, fresh: true });
    expect(await list()).toEqual([]);
    expect((await notifications.since(alice, 'discussion:7', 0, 10)).missed.map(({ kind }) => kind)).toEqual([
      'reload',
      'reload',
    ]);
  });

  test('preferences are a person’s own, and can be taken back', async () => {
    const { preferences } = books;
    await preferences.put(alice, 'task-1', IMMEDIATE, NOON);
    await preferences.put(alice, 'task-1', { ...IMMEDIATE, notifyOnSuccess: true }, later(1));
    expect(await preferences.read(alice, 'task-1')).toEqual({ ...IMMEDIATE, notifyOnSuccess: true });
    expect(await preferences.list(alice)).toHaveLength(1);
    for (const other of [bob, elsewhere]) expect(await preferences.read(other, 'task-1')).toBeUndefined();
    await preferences.remove(alice, 'task-1');
    expect(await preferences.read(alice, 'task-1')).toBeUndefined();
  });
}

describe('in memory', () => {
  promises(() => {
    const preferences = new InMemoryPreferences();
    return Promise.resolve({ preferences, notifications: new InMemoryNotifications(preferences) });
  });
});

describe('on PostgreSQL', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());
  promises(async () => {
    await db.admin.query(
      'truncate notifications, notification_rooms, notification_facts, notification_reads, notification_preferences',
    );
    return {
      notifications: new SqlNotificationRepository(db.sessions, { uuid: randomUUID }),
      preferences: new SqlPreferenceRepository(db.sessions),
    };
  });
});
