import { keptError, prompt, storable, title } from '../../../src/schedule/domain/text-rule';
import { refusal } from '../../support/schedule-builders';

const LONE = 'a\ud83d';
const PAIR = '\u{1f4c5}';

describe('a title', () => {
  test.each([
    ['one character', 'x'],
    ['a single blank', ' '],
    ['markup and SQL', `<b>'; DROP TABLE scheduled_tasks; --</b>`],
    ['right-to-left, combining and astral characters', `\u202e \u0301e ${PAIR}`],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters of two code units each', PAIR.repeat(255)],
  ])('is kept exactly as sent: %s', (_what, text) => expect(title(text)).toBe(text));

  test.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters of two code units each', PAIR.repeat(256)],
    ['a NUL', 'a\0b'],
    ['half of a surrogate pair', LONE],
    ['the second half alone', '\udcc5'],
    ['no text', 5],
    ['null', null],
  ])('is refused by name: %s', (_what, text) => {
    expect(refusal(() => title(text))).toMatchObject({ kind: 'invalid', field: 'title' });
  });
});

describe('a prompt', () => {
  test.each([
    ['one character', 'x'],
    ['100,000 characters', 'x'.repeat(100_000)],
    ['100,000 characters of two code units each', PAIR.repeat(100_000)],
  ])('is kept exactly as sent: %s', (_what, text) => expect(prompt(text) === text).toBe(true));

  test.each([
    ['100,001 characters', 'x'.repeat(100_001)],
    ['ten million characters', 'x'.repeat(10_000_000)],
    ['100,001 characters of two code units each', PAIR.repeat(100_001)],
  ])('is too large with %s', (_what, text) => {
    expect(refusal(() => prompt(text))).toMatchObject({ kind: 'too-large', field: 'prompt' });
  });

  test.each([
    ['empty', ''],
    ['a NUL', 'a\0b'],
    ['half of a surrogate pair', LONE],
  ])('is refused by name: %s', (_what, text) => {
    expect(refusal(() => prompt(text))).toMatchObject({ kind: 'invalid', field: 'prompt' });
  });
});

test('a refusal names the field in its wire spelling', () => {
  const error = refusal(() => storable('\0', 'assistant_id'));
  expect(error).toMatchObject({ kind: 'invalid', field: 'assistant_id' });
  expect(error.message).toContain('NUL');
});

describe('the error text of an agent', () => {
  test('is made storable, whatever its bytes were', () => {
    expect(keptError(`boom\0 ${LONE} ${PAIR}`)).toBe(`boom\u{fffd} a\u{fffd} ${PAIR}`);
  });
  test('is cut after 4,000 characters, never inside one', () => {
    expect(keptError(PAIR.repeat(4_000))).toBe(PAIR.repeat(4_000));
    expect(keptError(PAIR.repeat(4_001))).toBe(`${PAIR.repeat(4_000)} … (cut)`);
  });
});
