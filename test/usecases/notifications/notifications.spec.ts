// The order of steps: rows first, then whoever is looking; rights before rooms; deliveries and what comes of them.
import type { Attempt, Delivery } from '../../../src/notifications/domain/delivery';
import type { Endpoint } from '../../../src/notifications/domain/endpoint';
import { ReloadRefusedError, RoomNotFoundError, TaskUnknownError } from '../../../src/notifications/domain/errors';
import type { Notification, Reload } from '../../../src/notifications/domain/notification';
import type { RoomRight } from '../../../src/notifications/ports/room-rights';
import { DeliverDue } from '../../../src/notifications/usecases/deliver-due';
import { EnterRoom } from '../../../src/notifications/usecases/enter-room';
import { PublishDigests } from '../../../src/notifications/usecases/publish-digests';
import { ReloadRoom } from '../../../src/notifications/usecases/reload-room';
import { SetPreferences } from '../../../src/notifications/usecases/set-preferences';
import { TakeFacts } from '../../../src/notifications/usecases/take-facts';
import { aFact, alice, later, NOON } from '../../support/notifications/facts';
import { InMemoryNotifications, InMemoryPreferences } from '../../support/notifications/in-memory-notifications';

const failure = { task_id: 't1', task_title: 'News', user_id: 'alice', error: 'no', run_id: 'r1' };
const room = { type: 'discussion', id: '7' } as const;

let preferences: InMemoryPreferences;
let notifications: InMemoryNotifications;
let heard: (Notification | Reload)[];
const live = {
  tell: (notification: Notification) => void heard.push(notification),
  reload: (_tenantId: number, reload: Reload) => void heard.push(reload),
};
const right = (of: RoomRight) => ({ of: () => Promise.resolve(of) });

beforeEach(() => {
  preferences = new InMemoryPreferences();
  notifications = new InMemoryNotifications(preferences);
  heard = [];
});

describe('facts', () => {
  test('are rows, then told to whoever is looking; pages of the run fetch again', async () => {
    await new TakeFacts(notifications, live).run([aFact('run.failed', failure)], NOON);
    expect(heard).toMatchObject([
      { room: 'user:alice', seq: 1, title: 'News failed: no' },
      { room: 'run:r1', reason: 'run.failed', by: null },
    ]);
    expect(await notifications.unread(alice)).toBe(1);
  });
  test('of a flood are told as one when they are due', async () => {
    const facts = Array.from({ length: 5 }, () => aFact('run.failed', failure));
    await new TakeFacts(notifications, live).run(facts, NOON);
    heard = [];
    const digests = new PublishDigests(notifications, live);
    expect(await digests.run(later(10))).toEqual(later(300));
    expect(await digests.run(later(300))).toBeNull();
    expect(heard).toMatchObject([{ seq: 2, title: '4 more runs failed' }]);
  });
});

describe('rooms', () => {
  test('are entered before they are read: what comes in between comes twice rather than never', async () => {
    const enter = async (name: string): Promise<void> => {
      expect(name).toBe('1 user:alice');
      await new TakeFacts(notifications, live).run([aFact('run.failed', failure)], NOON);
    };
    const entered = await new EnterRoom(right('read'), notifications).run(
      alice,
      { type: 'user', id: 'alice' },
      0,
      enter,
    );
    expect(entered).toMatchObject({ seq: 1, missed: [{ seq: 1 }] });
  });
  test('that are nobody’s business do not exist, and are not entered', async () => {
    const enter = jest.fn();
    await expect(new EnterRoom(right('none'), notifications).run(alice, room, 0, enter)).rejects.toThrow(
      RoomNotFoundError,
    );
    expect(enter).not.toHaveBeenCalled();
  });
  test('are told to fetch again by those who may write, once for each operation', async () => {
    const ask = (of: RoomRight) =>
      new ReloadRoom(right(of), notifications, live).run(alice, { room, opId: 'o1', reason: null }, NOON);
    await expect(ask('none')).rejects.toThrow(RoomNotFoundError);
    await expect(ask('read')).rejects.toThrow(ReloadRefusedError);
    expect([await ask('write'), await ask('write')]).toEqual([{ seq: 1 }, { seq: 1 }]);
    expect(heard).toHaveLength(1);
  });
});

describe('preferences', () => {
  const setting = (exists: boolean) => new SetPreferences(preferences, { exists: () => Promise.resolve(exists) });
  test('of a task that is not there cannot be set', async () => {
    await expect(setting(false).change(alice, 't1', { digestSeconds: 0 }, NOON)).rejects.toThrow(TaskUnknownError);
  });
  test('that say nothing any more are forgotten', async () => {
    await setting(true).change(alice, 't1', { notifyOnSuccess: true }, NOON);
    const { own, effective } = await setting(true).change(alice, 't1', { notifyOnSuccess: null }, NOON);
    expect([own.notifyOnSuccess, effective.notifyOnSuccess]).toEqual([null, false]);
    expect(await preferences.list(alice)).toEqual([]);
  });
});

describe('deliveries', () => {
  const answer = (more: Partial<Attempt>): Attempt => ({
    ...{ ok: false, status: null, error: 'no', answer: null, durationMs: 1, retryAfterMs: null, gone: false },
    ...more,
  });
  const delivery = { id: 'msg_1', attempts: 0, createdAt: NOON, giveUpAt: later(86_400) } as Delivery;

  /** A queue with one delivery that is due at `due`. */
  function queue(due: Date | null, attempt: Attempt) {
    const seen = { claims: 0, recorded: [] as (Date | null)[] };
    const deliveries = {
      nextDue: () => Promise.resolve(due),
      claim: () => Promise.resolve(seen.claims++ === 0 ? [{ delivery, endpoint: {} as Endpoint }] : []),
      record: (of: Delivery, _attempt: Attempt, next: Date | null) => {
        seen.recorded.push(next);
        return Promise.resolve(of);
      },
    };
    const courier = { bring: () => Promise.resolve(attempt) };
    const endpoints = { secrets: () => Promise.resolve(null) };
    const use = new DeliverDue(
      deliveries as never,
      endpoints as never,
      courier as never,
      { now: () => NOON },
      () => 0.5,
    );
    return { seen, use };
  }

  test.each([
    ['nothing waits', null],
    ['the next is not due', later(30)],
  ])('where %s, none is claimed', async (_what, due) => {
    const { seen, use } = queue(due, answer({ ok: true }));
    expect(await use.run(NOON)).toEqual(due);
    expect(seen.claims).toBe(0);
  });
  test.each([
    ['went well', { ok: true }, null],
    ['failed', { status: 500 }, later(5)],
    ['asked for a pause', { status: 429, retryAfterMs: 60_000 }, later(60)],
    ['will never be taken', { status: 410, gone: true }, null],
  ])('one that %s', async (_what, attempt, next) => {
    const { seen, use } = queue(NOON, answer(attempt));
    await use.run(NOON);
    expect(seen.recorded).toEqual([next]);
  });
});
