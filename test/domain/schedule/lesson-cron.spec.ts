// How the cron lesson's scheduler reads a step, and how to write the same here. The matcher below is that lesson's rule.
import { CronExpression } from '../../../src/schedule/domain/cron-expression';
import { otherReading } from '../../../src/schedule/domain/lesson-cron';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, nr) => from + nr);

/** Values of a field as the lesson has them: a value is in a step when it divides. */
function there(field: string, from: number, to: number): number[] {
  const parts = field.split(',').map((part) => {
    const step = /^\*\/(\d+)$/.exec(part);
    if (step) return range(from, to).filter((value) => value % Number(step[1]) === 0);
    if (part === '*') return range(from, to);
    const [low = 0, high = low] = part.split('-').map(Number);
    return range(low, high);
  });
  return [...new Set(parts.flat())].sort((a, b) => a - b);
}

const expression = (cron: string): CronExpression =>
  new CronExpression(cron, cron.split(' ') as [string, string, string, string, string]);

test.each(['*/15 */2 * * *', '0 9 * * */2', '0 9 1,15 * 1-5', '0 9 */1 */1 *', '* * * * *'])(
  '%s means the same in both',
  (cron) => {
    expect(otherReading(cron)).toBeNull();
    const [, , day = '', month = ''] = cron.split(' ');
    expect(expression(cron).days).toEqual(there(day, 1, 31));
    expect(expression(cron).months).toEqual(there(month, 1, 12));
  },
);

test.each(['0 9 */2 * *', '0 9 */3 * 1', '0 9 1,*/10 * *', '0 9 * */5 *', '30 6 */2 */3 *'])(
  '%s means other days here; the advice keeps those of there',
  (cron) => {
    const other = otherReading(cron);
    const [, , day = '', month = ''] = cron.split(' ');
    expect([expression(cron).days, expression(cron).months]).not.toEqual([there(day, 1, 31), there(month, 1, 12)]);
    const keeping = expression(other?.keeping ?? '');
    expect(keeping.days).toEqual(there(day, 1, 31));
    expect(keeping.months).toEqual(there(month, 1, 12));
    expect(other?.words).toContain(`Write "${other?.keeping}"`);
  },
);

test('says in words what is different', () => {
  expect(otherReading('0 9 */2 * *')?.words).toBe(
    '"*/2" as day of the month was 2, 4, 6 … there, and is 1, 3, 5 … here. Write "0 9 2-31/2 * *" to keep the meaning.',
  );
});

test('one that never ran there is said to be so', () => {
  expect(otherReading('0 9 */40 * *')).toMatchObject({ keeping: null, words: expect.stringContaining('never ran') });
});
