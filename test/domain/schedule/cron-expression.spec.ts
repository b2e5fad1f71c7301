import fc from 'fast-check';
import { parseCron } from '../../../src/schedule/domain/cron-expression';
import { canonicalText, confirmReading } from '../../../src/schedule/domain/cron-second-opinion';
import { InvalidCronError } from '../../../src/schedule/domain/schedule-errors';
import { anySchedule } from '../../support/cron-arbitraries';

describe('a cron expression', () => {
  it.each([
    ['0  9\t*\n*   *', '0 9 * * *'],
    ['  0 9 * * mon-fri ', '0 9 * * mon-fri'],
    ['0 0 1,15 * *', '0 0 1,15 * *'],
    ['0 0 * * 7', '0 0 * * 7'],
  ])('%j keeps its text, with blanks folded', (text, folded) => {
    expect(parseCron(text).text).toBe(folded);
  });

  it.each([
    ['* * * * *', '* * * * *'],
    ['00 09 * * *', '0 9 * * *'],
    ['0,30,*/15 * * * *', '0,15,30,45 * * * *'],
    ['5/15 * * * *', '5,20,35,50 * * * *'],
    ['0-29/10 * * * *', '0,10,20 * * * *'],
    ['*/60 */24 */31 */12 *', '0 0 1 1 *'],
    ['0 0 * * 0,7', '0 0 * * 0'],
    ['0 0 * * FRI-SUN', '0 0 * * 0,5,6'],
    ['0 0 * * 6-0', '0 0 * * 0,6'],
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 * * SUN-TUE', '0 0 * * 0,1,2'],
    ['0 0 * * 5-0/2', '0 0 * * 0,5'],
    ['0 0 * * 0-7', '0 0 * * *'],
    ['0 0 * * 1/2', '0 0 * * 1,3,5'],
    ['0 0 * * */2', '0 0 * * 0,2,4,6'],
    ['0 0 * * MON,1', '0 0 * * 1'],
    ['0 0 * * sun-SUN', '0 0 * * 0'],
    ['0 0 1 jan,Dec *', '0 0 1 1,12 *'],
    ['0 0 1 MAR-may *', '0 0 1 3,4,5 *'],
    ['0 0 1 12/2 *', '0 0 1 12 *'],
    ['*,5 * * * *', '* * * * *'],
    // Only a bare star counts as "not given": with either day allowed, every day runs.
    ['0 0 */1 * 1', '0 0 * * *'],
    ['0 0 13 * 0-6', '0 0 * * *'],
    ['0 0 13 * 5', '0 0 13 * 5'],
    ['0 0 31 2 0', '0 0 * 2 0'],
    ['0 0 1-29 2 *', '0 0 * 2 *'],
    ['0 0 1-29 2 1', '0 0 * 2 *'],
    ['0 0 30-31 4 *', '0 0 30 4 *'],
  ])('%j means %j', (text, canonical) => {
    expect(canonicalText(parseCron(text))).toBe(canonical);
  });

  it.each([
    ['', 'The expression is empty: exactly five fields are needed'],
    [' \t ', 'The expression is empty'],
    ['0 9 * *', '"0 9 * *" has 4 fields: exactly five fields are needed'],
    [
      '0 9 * * * *',
      'has 6 fields: exactly five fields are needed (minute, hour, day of month, month, weekday); a field for seconds',
    ],
    ['@daily', 'The nickname "@daily" is not supported: write 0 0 * * *'],
    ['@reboot', 'The nickname "@reboot" is not supported: write the five fields'],
    ['TZ=UTC 0 9 * * *', 'the time zone has a field of its own'],
    ['CRON_TZ=UTC 0 9 * * *', 'the time zone has a field of its own'],
    ['x x x x x', 'The minute field does not accept "x"'],
    ['60 * * * *', 'The minute field does not accept "60": 60 is not in 0-59'],
    ['0 24 * * *', 'The hour field does not accept "24": 24 is not in 0-23'],
    ['0 9 0 * *', 'The day of month field does not accept "0": 0 is not in 1-31'],
    ['0 9 32 * *', '32 is not in 1-31'],
    ['0 9 * 13 *', 'The month field does not accept "13": 13 is not in 1-12 or JAN-DEC'],
    ['0 9 * 0 *', '0 is not in 1-12'],
    ['* * * * 8', 'The weekday field does not accept "8": 8 is not in 0-7 (0 and 7 are Sunday) or SUN-SAT'],
    ['* * * * 99', '99 is not in 0-7'],
    ['*/0 * * * *', 'the step must be at least 1'],
    ['0-30/0 * * * *', 'the step must be at least 1'],
    ['*/90 * * * *', 'the step must be at most 60'],
    ['* */25 * * *', 'the step must be at most 24'],
    ['* * * * */8', 'the step must be at most 7'],
    ['*/-5 * * * *', 'the step must be a whole number from 1 to 60'],
    ['*/x * * * *', 'the step must be a whole number from 1 to 60'],
    ['*/ * * * *', 'the step must be a whole number from 1 to 60'],
    ['*/2/2 * * * *', 'only one step'],
    ['* 22-2 * * *', 'the range runs backwards, write 22-23,0-2'],
    ['* 23-0 * * *', 'write 23,0'],
    ['* * 31-1 * *', 'write 31,1'],
    ['* * * 11-2 *', 'write 11-12,1-2'],
    ['* * * * 5-1', 'write 5-6,0-1'],
    ['* * * * 7-2', 'write 0-2'],
    ['* * * * 7/2', 'a step cannot start at 7, write 0/2 for Sunday'],
    ['1-2-3 * * * *', 'The minute field does not accept "1-2-3"'],
    ['1,,2 * * * *', 'a list entry is empty'],
    ['1, * * * *', 'a list entry is empty'],
    ['-5 * * * *', 'a value is missing'],
    ['5- * * * *', 'a value is missing'],
    ['+5 * * * *', 'signs are not supported'],
    ['*-5 * * * *', '"*" is not understood'],
    ['007 * * * *', '"007" is not understood'],
    ['1.5 * * * *', '"1.5" is not understood'],
    ['0x1 * * * *', '"0x1" is not understood'],
    ['٣ * * * *', '"٣" is not understood'],
    ['H H * * *', 'H (a hashed value) is not supported'],
    ['H(0-7) * * * *', 'The minute field does not accept "H(0-7)"'],
    ['0~5 * * * *', '~ (a random value) is not supported'],
    ['? * * * *', '? is not supported, write *'],
    ['0 9 ? * 1', 'The day of month field does not accept "?": ? is not supported, write *'],
    ['0 9 L * *', 'The day of month field does not accept "L": L (the last day or weekday) is not supported'],
    ['0 9 L-3 * *', 'L (the last day or weekday) is not supported'],
    ['0 9 * * 5L', 'L (the last day or weekday) is not supported'],
    ['0 9 * * FRIL', 'L (the last day or weekday) is not supported'],
    ['0 9 15W * *', 'W (the nearest working day) is not supported'],
    ['0 9 LW * *', 'L (the last day or weekday) is not supported'],
    ['0 9 * * 1#5', '# (the nth weekday of a month) is not supported'],
    ['0 9 * * MONDAY', 'names have three letters, write MON'],
    ['0 9 * january *', 'names have three letters, write JAN'],
    ['0 9 * MON *', 'MON is no month'],
    ['0 9 MON * *', 'MON is no day of month'],
    ['0 9 * * FOO', '"FOO" is not understood'],
    ['0 9 * * {}', '"{}" is not understood'],
    ['0 0 30 2 *', 'The day of month field "30" names a date that that month never had'],
    ['0 0 31 4,6,9,11 *', 'names a date that those months never had'],
    ['0 0 30,31 FEB *', 'would never run'],
  ])('%j is refused and says why', (text, reason) => {
    expect(() => parseCron(text)).toThrow(InvalidCronError);
    expect(() => parseCron(text)).toThrow(reason);
  });

  it('names its field and a stable code', () => {
    expect.assertions(1);
    try {
      parseCron('x');
    } catch (error) {
      expect(error).toMatchObject({ kind: 'invalid', code: 'schedule.invalid-cron', field: 'schedule_spec.cron' });
    }
  });

  it('may have at most a hundred characters, blanks folded', () => {
    const minutes = Array.from({ length: 30 }, (_, i) => i + 10).join(',');
    expect(`${minutes} 1,2 * * *`).toHaveLength(99);
    expect(parseCron(`  ${minutes}      1,2 * * *`).minutes).toHaveLength(30);
    expect(() => parseCron(`${minutes} 10,11 * * *`)).toThrow('The expression has 101 characters; at most 100');
  });

  it.each(['0 0 29 2 *', '0 0 31 2 0', '0 0 31 */2 *', '0 0 28-31 2 *'])('%j can occur and is accepted', (text) => {
    expect(parseCron(text).text).toBe(text);
  });

  it('is refused with one clear error whatever the text, or accepted', () => {
    const piece = fc.constantFrom(
      '*',
      '/',
      '-',
      ',',
      ' ',
      '0',
      '7',
      '31',
      'MON',
      'JAN',
      'L',
      'W',
      '#',
      '?',
      'H',
      '@',
      '\t',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (any) => {
        try {
          confirmReading(parseCron(any));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidCronError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is read by cron-parser as we read it', () => {
    fc.assert(
      fc.property(anySchedule, (schedule) => {
        confirmReading(parseCron(schedule.text));
      }),
      { numRuns: 300 },
    );
  });

  it('is not submitted when the second reading differs', () => {
    const forged = Object.assign(Object.create(parseCron('0 9 * * *')), { minutes: [70] });
    expect(() => confirmReading(forged)).toThrow();
  });
});
