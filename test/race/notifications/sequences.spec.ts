// Many processes write into the same rooms at once: sequences have no gap and no double, and nothing is told twice.
import { randomUUID } from 'node:crypto';
import { SqlNotificationRepository } from '../../../src/notifications/outbound/sql-notification-repository';
import { SqlPreferenceRepository } from '../../../src/notifications/outbound/sql-preference-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { alice, bob, failed, later, NOON } from '../../support/notifications/facts';

const MANY = 12;
const IMMEDIATE = { notifyOnFailure: null, notifyOnSuccess: null, digestSeconds: 0 };

let db: TestDatabase;
let notifications: SqlNotificationRepository;

beforeAll(async () => {
  db = await testDatabase({ poolSize: MANY });
  notifications = new SqlNotificationRepository(db.sessions, { uuid: randomUUID });
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.admin.query(
    'truncate notifications, notification_rooms, notification_facts, notification_preferences cascade',
  );
});

const all = <T>(one: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => one(n)));
const sequences = async (room: string): Promise<number[]> =>
  (
    await db.admin.query<{ seq: string }>('select seq from notifications where room = $1 order by seq', [room])
  ).rows.map(({ seq }) => Number(seq));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

test('of two rooms, written in both orders: no gap, no double, no deadlock', async () => {
  const preferences = new SqlPreferenceRepository(db.sessions);
  for (const actor of [alice, bob]) await preferences.put(actor, '', IMMEDIATE, NOON);
  await all((n) => {
    const both = [failed(`a${n}`), failed(`b${n}`, 'bob'), failed(`c${n}`)];
    return notifications.take(n % 2 === 0 ? both : both.reverse(), NOON);
  });
  expect(await sequences('user:alice')).toEqual(upTo(2 * MANY));
  expect(await sequences('user:bob')).toEqual(upTo(MANY));
});

test('a fact that reaches all of them is said once', async () => {
  const news = failed('News');
  const said = (await all(() => notifications.take([news], NOON))).flat();
  expect(said).toHaveLength(1);
  expect(await sequences('user:alice')).toEqual([1]);
});

test('facts that are collected at once are all counted, and the digest is published by one', async () => {
  await notifications.take([failed('first')], NOON);
  await all((n) => notifications.take([failed(`more ${n}`)], NOON));
  const published = (await all(() => notifications.publishDue(later(300)))).flatMap((round) => round.published);
  expect(published).toMatchObject([{ seq: 2, title: `${MANY} more runs failed` }]);
});

test('an operation that reaches all of them takes one sequence', async () => {
  const answers = await all(() => notifications.addReload(alice, 'user:alice', { opId: 'o1', reason: null }, NOON));
  expect(answers.filter(({ fresh }) => fresh)).toHaveLength(1);
  expect(new Set(answers.map(({ seq }) => seq))).toEqual(new Set([1]));
  expect(await notifications.addReload(alice, 'user:alice', { opId: 'o2', reason: null }, NOON)).toMatchObject({
    seq: 2,
  });
});
