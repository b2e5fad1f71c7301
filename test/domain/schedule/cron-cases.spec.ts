// The table of cases, each asked afresh for every run from the run before, as a scheduler does.
import { parseCron } from '../../../src/schedule/domain/cron-expression';
import { nextInstant } from '../../../src/schedule/domain/next-instant';
import { InvalidCronError } from '../../../src/schedule/domain/schedule-errors';
import { timeZone } from '../../../src/schedule/domain/time-zone';
import table from '../../cases/cron.json';

interface CronCase {
  readonly id: string;
  readonly expr: string;
  readonly tz: string;
  readonly after: string;
  readonly expect?: string[];
  readonly error?: boolean;
  /** An extension that may be refused; we refuse it. */
  readonly errorOk?: boolean;
  /** The first time-zone database that knows the answer. */
  readonly tzdata?: string;
  readonly why: string;
}

const cases = table as CronCase[];
const refused = cases.filter((one) => one.error === true || one.errorOk === true);
const answered = cases.filter((one) => !refused.includes(one) && (one.tzdata ?? '') <= process.versions.tz!);

describe('the table of cron cases', () => {
  it.each(answered.map((one) => [one.id, one.why, one] as const))('%s: %s', (_id, _why, one) => {
    const cron = parseCron(one.expr);
    const zone = timeZone(one.tz);
    const runs: string[] = [];
    for (let at = new Date(one.after); runs.length < one.expect!.length; runs.push(at.toISOString())) {
      at = nextInstant(cron, zone, at);
    }
    expect(runs).toEqual(one.expect);
  });

  it.each(refused.map((one) => [one.id, one.why, one] as const))('%s is refused: %s', (_id, _why, one) => {
    expect(() => parseCron(one.expr)).toThrow(InvalidCronError);
  });
});
