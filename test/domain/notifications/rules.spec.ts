// What is said of a fact, to whom, who wants it, and when a delivery is tried again.
import { GIVE_UP_AFTER_MS, nextAttempt } from '../../../src/notifications/domain/delivery';
import { checkedName, checkedTypes, checkedUrl } from '../../../src/notifications/domain/endpoint';
import { HEARD_TYPES, NOTIFIED_TYPES, reloads, said } from '../../../src/notifications/domain/fact';
import { effective, type Preference, wanted } from '../../../src/notifications/domain/preference';
import { socketRoom } from '../../../src/notifications/domain/room';
import { DELIVERED_TYPES } from '../../../src/notifications/domain/webhook-event';
import { aFact, later, NOON } from '../../support/notifications/facts';

describe('what is said', () => {
  test.each(NOTIFIED_TYPES)('%s says something, also when the fact says little', (type) => {
    expect(said(aFact(type))).toMatchObject({
      title: expect.stringMatching(/\S{3}/),
      room: { type: 'tenant', id: '1' },
    });
  });
  test('to a person where the fact names one, else to the tenant', () => {
    expect(said(aFact('run.failed', { user_id: 'alice' }))).toMatchObject({ userId: 'alice', room: { type: 'user' } });
    expect(said(aFact('agent.offline', { user_id: '' }, 7))).toMatchObject({ userId: null, room: { id: '7' } });
  });
  test('nothing of a fact that is for programs only', () => {
    expect(said(aFact('task.created', { user_id: 'alice' }))).toBeNull();
  });
  test('in one line, however long the name', () => {
    const title = said(aFact('run.failed', { task_title: `a\nb ${'x'.repeat(500)}` }))!.title;
    expect(title).toHaveLength(200);
    expect(title).toMatch(/^a b x+…$/);
  });
});

test('a room of the same name in another tenant is another room', () => {
  expect(socketRoom(1, 'user:alice')).not.toBe(socketRoom(2, 'user:alice'));
});

test('open pages of a project and of a run fetch again', () => {
  expect(reloads(aFact('evidence.added', { project_id: 7 }))).toEqual([{ type: 'discussion', id: '7' }]);
  expect(reloads(aFact('run.failed', { run_id: 'r1' }))).toEqual([{ type: 'run', id: 'r1' }]);
  expect(reloads(aFact('task.failing', { run_id: 'r1', project_id: {} }))).toEqual([]);
});

test('whatever people are told can be told to programs', () => {
  expect(DELIVERED_TYPES).toEqual(expect.arrayContaining([...HEARD_TYPES]));
});

describe('preferences', () => {
  const none: Preference = { notifyOnFailure: null, notifyOnSuccess: null, digestSeconds: null };
  test('of one task before those of all, column by column; then what most people want', () => {
    expect(effective(undefined, undefined)).toEqual({
      notifyOnFailure: true,
      notifyOnSuccess: false,
      digestSeconds: 300,
    });
    const ofTask = { ...none, notifyOnSuccess: true };
    const ofUser = { notifyOnFailure: false, notifyOnSuccess: false, digestSeconds: 0 };
    expect(effective(ofTask, ofUser)).toEqual({ notifyOnFailure: false, notifyOnSuccess: true, digestSeconds: 0 });
  });
  test.each([
    ['failure', true, false, true],
    ['failure', false, true, false],
    ['success', false, true, true],
    ['success', true, false, false],
    ['always', false, false, true],
  ] as const)('a word of %s, failure %s, success %s: %s', (wish, notifyOnFailure, notifyOnSuccess, expected) => {
    expect(wanted(wish, { notifyOnFailure, notifyOnSuccess, digestSeconds: 0 })).toBe(expected);
  });
});

describe('the next attempt', () => {
  const giveUpAt = new Date(NOON.getTime() + GIVE_UP_AFTER_MS);
  const after = (attempts: number, now = NOON, retryAfterMs: number | null = null): Date | null =>
    nextAttempt({ attempts, giveUpAt }, { retryAfterMs }, now, 0.5);
  test.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [10, 28_800],
    [11, 28_800],
  ])('after %i of them, in %i s', (attempts, seconds) => {
    expect(after(attempts)).toEqual(later(seconds));
  });
  test('later where the receiver asks for it, by an hour at most', () => {
    expect(after(1, NOON, 60_000)).toEqual(later(60));
    expect(after(1, NOON, 86_400_000)).toEqual(later(3_600));
  });
  test('the last one is at the end of the day, and there is none after it', () => {
    expect(after(10, later(86_000))).toEqual(giveUpAt);
    expect(after(10, giveUpAt)).toBeNull();
  });
  test('those that failed together are not all tried at the same moment', () => {
    const at = [0, 1].map((chance) => nextAttempt({ attempts: 3, giveUpAt }, { retryAfterMs: null }, NOON, chance));
    expect(at).toEqual([later(108), later(132)]);
  });
});

describe('a webhook', () => {
  test.each(['', '   ', 'a\nb', 'x'.repeat(101)])('has no name such as %j', (name) => {
    expect(() => checkedName(name)).toThrow();
  });
  test.each([
    ['signed', 'ftp://example.org'],
    ['signed', 'mailto:a@b.org'],
    ['mail', 'https://example.org'],
    ['mail', 'mailto:a@b.org?bcc=c@d.org'],
    ['mail', 'mailto:a@b.org,c@d.org'],
    ['slack', `https://example.org/${'x'.repeat(2_048)}`],
  ] as const)('%s is not sent to %s', (target, url) => {
    expect(() => checkedUrl(target, url)).toThrow();
  });
  test('asks for events that there are, once each', () => {
    expect(checkedTypes(['run.failed', 'run.failed'])).toEqual(['run.failed']);
    expect(() => checkedTypes([])).toThrow();
    expect(() => checkedTypes(['webhook.test'])).toThrow();
  });
});
