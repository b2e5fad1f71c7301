import { between, inOneLine, lasting, localTime, sheet, visible } from '../../../src/platform/cli/for-people';
import { parseDuration } from '../../../src/platform/cli/duration';

it.each([
  ['2026-07-01T18:00:00+00:00', 'Europe/Berlin', '2026-07-01 20:00:00+02:00'],
  ['2026-10-25T00:30:00.250+00:00', 'Europe/Berlin', '2026-10-25 02:30:00+02:00'],
  ['2026-10-25T01:30:00+00:00', 'Europe/Berlin', '2026-10-25 02:30:00+01:00'],
  ['2026-01-01T00:00:00+00:00', 'UTC', '2026-01-01 00:00:00+00:00'],
  ['2026-01-01T00:00:00+00:00', 'Asia/Kathmandu', '2026-01-01 05:45:00+05:45'],
  ['2026-01-01T00:00:00+00:00', 'Mars/Olympus', '2026-01-01 00:00:00+00:00'],
  [null, 'UTC', '-'],
])('%s in %s is shown as %s', (moment, zone, shown) => expect(localTime(moment, zone)).toBe(shown));

it.each([
  [0, '0 ms'],
  [-40, '-40 ms'],
  [999, '999 ms'],
  [4_240, '4.2 s'],
  [59_999, '1 min'],
  [185_000, '3 min 5 s'],
  [7_200_000, '2 h'],
  [183_600_000, '2 d 3 h'],
])('%i ms are %s', (ms, words) => expect(lasting(ms)).toBe(words));

it('a time that has no end yet is a dash', () => {
  expect(between('2026-01-01T00:00:00+00:00', null)).toBe('-');
  expect(between('2026-01-01T00:00:00+00:00', '2026-01-01T00:00:01.500+00:00')).toBe('1.5 s');
});

it.each([
  ['90s', 90],
  ['10m', 600],
  ['1h30m', 5_400],
  ['2D', 172_800],
])('%s are %i seconds', (text, seconds) => expect(parseDuration('--in', text)).toBe(seconds));

it.each(['', '10', 'm', '-5m', '1.5h', '10 m', '5y'])('%j is no length of time', (text) => {
  expect(() => parseDuration('--in', text)).toThrow('--in takes a length of time such as');
});

it('a text of somebody else cannot steer the terminal', () => {
  expect(visible('a\u001b]0;title\u0007\rb\n\tc\u202e')).toBe('a\ufffd]0;title\ufffd\ufffdb\n\tc\ufffd');
  expect(inOneLine(' two\nlines  😀😀', 10)).toBe('two lines…');
});

it('values stand under each other', () => {
  expect(sheet([['id', '1'], ['next run', 'a\nb']])).toBe('id        1\nnext run  a\n          b'); // prettier-ignore
});
