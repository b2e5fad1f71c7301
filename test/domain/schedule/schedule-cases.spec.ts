// The collected cases about schedules themselves, driven from their data through the door that people come in by:
// the submission of a task. The grammar and the calendar have their own tests, nearer to the rules.
import { OCCURRENCES } from '../../../src/schedule/domain/occurrences';
import { parseScheduleSpec, sameSchedule, toWire } from '../../../src/schedule/domain/schedule-spec';
import type { ScheduleSpec } from '../../../src/schedule/domain/schedule-spec';
import { dataOf, title, withData } from '../../support/schedule-cases';
import { at, created, cron, NOON, once, refusal } from '../../support/schedule-builders';

const submit =
  (scheduleSpec: unknown, timezone = 'UTC') =>
  () =>
    created({ scheduleSpec, timezone });
const moment =
  (runAt: string, timezone = 'UTC') =>
  () =>
    created({ scheduleType: 'once', scheduleSpec: { run_at: runAt }, timezone });

function walk(spec: ScheduleSpec, after: string, count: number): (Date | null)[] {
  const found: (Date | null)[] = [];
  for (let last: Date | null = at(after); found.length < count && last !== null; found.push(last)) {
    last = OCCURRENCES.next(spec, last);
  }
  return found;
}

describe('submitting a schedule', () => {
  test.each(withData<{ cron: string; valid: boolean; normalized?: string }>('spec', 'cron', 'valid'))(
    '%s',
    (_title, { cron: text, valid, normalized }) => {
      if (valid) {
        const spaced = text.replaceAll(' ', ' \t ');
        expect(toWire(created({ scheduleSpec: { cron: spaced } }).spec)).toEqual({ cron: normalized });
      } else {
        expect(refusal(submit({ cron: text }))).toMatchObject({ kind: 'invalid', field: 'schedule_spec.cron' });
      }
    },
  );
  test.each(withData<{ timezone: string }>('spec', 'timezone'))('%s', (_title, { timezone }) => {
    // Before anything else: the spec and its type are wrong too.
    const error = refusal(() => created({ scheduleType: 'teleport', scheduleSpec: {}, timezone }));
    expect(error).toMatchObject({ kind: 'invalid', field: 'timezone' });
  });
  test(title('spec-23'), () => {
    for (const spec of dataOf<{ schedule_spec: unknown[] }>('spec-23').schedule_spec) {
      expect(refusal(submit(spec))).toMatchObject({ kind: 'invalid', field: 'schedule_spec.cron' });
    }
  });
  test(title('spec-25'), () => {
    for (const text of dataOf<{ run_at: string[] }>('spec-25').run_at) {
      expect(refusal(moment(text))).toMatchObject({ kind: 'invalid', field: 'schedule_spec.run_at' });
    }
  });
  test(title('spec-26'), () => {
    const { schedule_type: scheduleType } = dataOf<{ schedule_type: string }>('spec-26');
    expect(refusal(() => created({ scheduleType }))).toMatchObject({ kind: 'invalid', field: 'schedule_type' });
  });
  test(title('spec-28'), () => {
    const read = (type: string, spec: unknown) => parseScheduleSpec(type, spec, 'Asia/Shanghai', NOON);
    expect(sameSchedule(read('cron', { cron: '0 9 * * *' }), read('cron', { cron: ' 0\t9  * * * ' }))).toBe(true);
    const naive = read('once', { run_at: '2026-08-02T09:00:00' });
    expect(sameSchedule(naive, read('once', { run_at: '2026-08-02T01:00:00Z' }))).toBe(true);
  });
  test(title('spec-29'), () => {
    const instant = '2026-08-02T01:00:00Z';
    expect(sameSchedule(once(instant, 'Asia/Shanghai'), once(instant, 'UTC'))).toBe(false);
    expect(sameSchedule(cron('0 9 * * *', 'Asia/Shanghai'), cron('0 9 * * *', 'UTC'))).toBe(false);
  });
  test(title('wire-04'), () => {
    const { spec } = moment('2026-08-02T01:00:00Z')();
    expect(toWire(spec)).toEqual({ run_at: '2026-08-02T01:00:00+00:00' });
  });
});

describe('the next time', () => {
  type Next = {
    now?: string;
    cron?: string;
    once?: string;
    once_local?: string;
    timezone?: string;
    next: string | null;
  };
  test.each(withData<Next>('next', 'next'))(
    '%s',
    (_title, { now, cron: text, once: instant, once_local, timezone, next }) => {
      const spec = text === undefined ? once(instant ?? once_local ?? '', timezone) : cron(text, timezone);
      expect(OCCURRENCES.next(spec, now === undefined ? NOON : at(now))).toEqual(next === null ? null : at(next));
    },
  );
  test.each([
    ...withData<{ cron: string; timezone?: string; now: string; occurrences: string[] }>('dst', 'occurrences'),
    ...withData<{ cron: string; timezone?: string; now: string; occurrences: string[] }>('cron-rule', 'occurrences'),
  ])('%s', (_title, { cron: text, timezone, now, occurrences }) => {
    expect(walk(cron(text, timezone), now, occurrences.length)).toEqual(occurrences.map(at));
  });
  test.each(
    withData<{ cron: string; timezone: string; now: string; first_between: [string, string]; following: string }>(
      'dst',
      'first_between',
    ),
  )('%s', (_title, { cron: text, timezone, now, first_between: [earliest, latest], following }) => {
    const [first, second] = walk(cron(text, timezone), now, 2);
    expect(Number(first)).toBeGreaterThanOrEqual(Number(at(earliest)));
    expect(Number(first)).toBeLessThanOrEqual(Number(at(latest)));
    expect(second).toEqual(at(following));
  });
  test.each(withData<{ once_local: string; timezone: string; instant: string }>('dst', 'once_local', 'instant'))(
    '%s',
    (_title, { once_local, timezone, instant }) => {
      expect(once(once_local, timezone)).toMatchObject({ runAt: at(instant) });
    },
  );
});

describe('the cron lesson', () => {
  test.each(withData<{ cron: string; at: string; match: boolean }>('s14', 'match'))(
    '%s',
    (_title, { cron: text, at: minute, match }) => {
      const instant = at(`${minute}:00Z`);
      const next = OCCURRENCES.next(cron(text), new Date(instant.getTime() - 1));
      expect(next?.getTime() === instant.getTime()).toBe(match);
    },
  );
  test(title('s14-02'), () => {
    expect(walk(cron('0 9 * * *'), '2026-07-27T00:00:00Z', 2)).toEqual([
      at('2026-07-27T09:00:00Z'),
      at('2026-07-28T09:00:00Z'),
    ]);
  });
  test.each(['s14-11', 's14-12'])('%s: refused, naming field and bounds or token', (id) => {
    const { cron: text } = dataOf<{ cron: string }>(id);
    const error = refusal(submit({ cron: text }));
    expect(error).toMatchObject({ kind: 'invalid', field: 'schedule_spec.cron' });
    expect(error.message).toMatch(id === 's14-11' ? /minute.*0.*59/ : /hour.*5-1/);
  });
  test(`${title('s14-08')} (our rule: 7 is Sunday)`, () => {
    const { cron: text } = dataOf<{ cron: string }>('s14-08');
    expect(walk(cron(text), '2026-07-27T12:00:00Z', 1)).toEqual([at('2026-08-02T09:00:00Z')]);
  });
  test(`${title('s14-09')} (our rule: names and stepped ranges are read)`, () => {
    const { cron: texts } = dataOf<{ cron: string[] }>('s14-09');
    expect(walk(cron(texts[0] ?? ''), '2026-07-27T12:00:00Z', 1)).toEqual([at('2026-08-03T09:00:00Z')]);
    expect(walk(cron(texts[1] ?? ''), '2026-07-27T12:00:00Z', 2)).toEqual([
      at('2026-07-27T13:00:00Z'),
      at('2026-07-27T15:00:00Z'),
    ]);
  });
});
