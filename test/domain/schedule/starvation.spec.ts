// When a full budget is worth a word.
import { starvation } from '../../../src/schedule/domain/starvation';
import { at, NOON } from '../../support/schedule-builders';

const attention = (fullSince: string | null) => ({
  since: at('2026-07-27T00:00:00Z'),
  fullSince: fullSince === null ? null : at(fullSince),
});

test.each([
  ['there was a free place', null, null],
  ['it has been full for less than a minute', '2026-07-27T11:59:01Z', null],
  ['it was looked at less than a minute ago', '2026-07-27T11:00:00Z', '2026-07-27T11:59:01Z'],
])('not when %s', (_when, fullSince, lookedAt) => {
  expect(starvation(attention(fullSince), lookedAt === null ? null : at(lookedAt), NOON)).toBeNull();
});

test.each([
  ['a minute', '2026-07-27T11:59:00Z', null],
  ['an hour, looked at a minute ago', '2026-07-27T11:00:00Z', '2026-07-27T11:59:00Z'],
])(
  'after %s: of tasks that have been due for a minute, to those not told for an hour',
  (_what, fullSince, lookedAt) => {
    expect(starvation(attention(fullSince), lookedAt === null ? null : at(lookedAt), NOON)).toEqual({
      now: NOON,
      dueBefore: at('2026-07-27T11:59:00Z'),
      notToldSince: at('2026-07-27T11:00:00Z'),
    });
  },
);
