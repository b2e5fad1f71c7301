import { attended, lateReason } from '../../../src/schedule/domain/late-reason';

const at = (text: string): Date => new Date(`2026-07-27T${text}Z`);
const NOON = at('12:00:00');

describe('why a run is claimed late', () => {
  const watching = { since: at('11:00:00'), fullSince: null };
  test.each([
    ['on time', NOON, at('12:00:00.020'), watching, null],
    ['a little late', NOON, at('12:00:04.999'), watching, null],
    ['late while a poller was looking and places were free', NOON, at('12:00:05'), watching, null],
    [
      'late, and nobody was looking then',
      NOON,
      at('12:30:00'),
      { since: at('12:30:00'), fullSince: null },
      'nobody_looking',
    ],
    ['late behind a full budget', NOON, at('12:30:00'), { ...watching, fullSince: at('11:59:00') }, 'budget_full'],
    [
      'asleep first, full afterwards',
      NOON,
      at('12:30:00'),
      { since: at('12:20:00'), fullSince: at('12:21:00') },
      'nobody_looking',
    ],
  ] as const)('%s', (_, scheduledFor, now, attention, reason) => {
    expect(lateReason(scheduledFor, now, attention)).toBe(reason);
  });
});

describe('how well a poller has been looking', () => {
  const before = { since: at('11:00:00'), fullSince: at('11:30:00') };
  test('begins with the first look', () => {
    expect(attended(null, null, NOON, 15_000)).toEqual({ since: NOON, fullSince: null });
  });
  test('goes on as long as no gap is longer than it may be', () => {
    expect(attended(before, at('11:59:45'), NOON, 15_000)).toBe(before);
  });
  test('begins anew after a gap: a machine that slept was not looking', () => {
    expect(attended(before, at('11:59:44.999'), NOON, 15_000)).toEqual({ since: NOON, fullSince: null });
  });
});
