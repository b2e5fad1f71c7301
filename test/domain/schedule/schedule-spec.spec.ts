import { parseCron } from '../../../src/schedule/domain/cron-expression';
import {
  firstRun,
  inZone,
  nextRun,
  parseScheduleSpec,
  restoreScheduleSpec,
  sameSchedule,
  toWire,
} from '../../../src/schedule/domain/schedule-spec';
import { timeZone } from '../../../src/schedule/domain/time-zone';

const now = new Date('2026-07-27T12:00:00Z');
const once = (runAt: unknown, zone = 'Asia/Shanghai') => parseScheduleSpec('once', { run_at: runAt }, zone, now);
const cron = (text: unknown, zone = 'Asia/Shanghai') => parseScheduleSpec('cron', { cron: text }, zone, now);
const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It was accepted.');
};

describe('a schedule as it is submitted', () => {
  it('is a cron expression in a zone', () => {
    expect(cron(' 0  9 * * * ')).toEqual({
      type: 'cron',
      cron: parseCron('0 9 * * *'),
      zone: timeZone('Asia/Shanghai'),
    });
  });

  it('is a moment, on the wall clock of the zone or with an offset of its own', () => {
    expect(once('2026-08-02T09:00:00')).toMatchObject({ type: 'once', runAt: new Date('2026-08-02T01:00:00Z') });
    expect(once('2026-08-01T09:00:00Z')).toMatchObject({ runAt: new Date('2026-08-01T09:00:00Z') });
  });

  it('is a delay from now', () => {
    const spec = parseScheduleSpec('once', { delay_seconds: 90 }, 'UTC', now);
    expect(spec).toEqual({ type: 'once', runAt: new Date('2026-07-27T12:01:30Z'), zone: timeZone('UTC') });
    expect(parseScheduleSpec('once', { delay_seconds: 90, run_at: null }, 'UTC', now)).toEqual(spec);
  });

  it('counts a null in a part of the other type as absent', () => {
    const nulls = { run_at: null, delay_seconds: null };
    expect(parseScheduleSpec('cron', { cron: '0 9 * * *', ...nulls }, 'UTC', now).type).toBe('cron');
    expect(parseScheduleSpec('once', { cron: null, run_at: '2026-08-01' }, 'UTC', now).type).toBe('once');
  });
  it.each([
    ['cron', { cron: '0 9 * * *', run_at: '2026-08-01' }, 'run_at', 'give cron'],
    ['cron', { run_at: '2026-08-01' }, 'run_at', 'give cron'],
    ['cron', { cron: '0 9 * * *', delay_seconds: 0 }, 'delay_seconds', 'give cron'],
    ['once', { cron: '0 9 * * *', run_at: '2026-08-01' }, 'cron', 'give run_at or delay_seconds'],
    ['once', { cron: '' }, 'cron', 'give run_at or delay_seconds'],
  ])('refuses a part of the other type: %s %j', (type, spec, key, reason) => {
    const error = refusal(() => parseScheduleSpec(type, spec, 'UTC', now));
    expect(error).toMatchObject({ code: 'schedule.invalid-spec', field: `schedule_spec.${key}` });
    expect((error as Error).message).toContain(reason);
  });

  it.each([
    [
      'an unknown type',
      ['teleport', { cron: '0 9 * * *' }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_type',
      '"teleport"',
    ],
    [
      'no type',
      [undefined, { cron: '0 9 * * *' }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_type',
      'write cron or once',
    ],
    [
      'an unknown key',
      ['cron', { cron: '0 9 * * *', tz: 'x' }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.tz',
      '"tz"',
    ],
    ['no object', ['cron', '0 9 * * *', 'UTC'], 'schedule.invalid-spec', 'schedule_spec', 'must be an object'],
    ['null', ['once', null, 'UTC'], 'schedule.invalid-spec', 'schedule_spec', '{"run_at": "2026-08-01T09:00"}'],
    ['a list', ['cron', ['0 9 * * *'], 'UTC'], 'schedule.invalid-spec', 'schedule_spec', '{"cron": "0 9 * * *"}'],
    ['no cron', ['cron', {}, 'UTC'], 'schedule.invalid-cron', 'schedule_spec.cron', 'a text of five fields'],
    ['a number as cron', ['cron', { cron: 5 }, 'UTC'], 'schedule.invalid-cron', 'schedule_spec.cron', 'a text of five'],
    ['null as cron', ['cron', { cron: null }, 'UTC'], 'schedule.invalid-cron', 'schedule_spec.cron', 'a text of five'],
    ['a bad cron', ['cron', { cron: '0 0 30 2 *' }, 'UTC'], 'schedule.invalid-cron', 'schedule_spec.cron', 'never run'],
    ['no run_at', ['once', {}, 'UTC'], 'schedule.invalid-run-at', 'schedule_spec.run_at', 'or delay_seconds'],
    ['a number as run_at', ['once', { run_at: 1 }, 'UTC'], 'schedule.invalid-run-at', 'schedule_spec.run_at', 'a text'],
    [
      'prose',
      ['once', { run_at: 'next tuesday' }, 'UTC'],
      'schedule.invalid-run-at',
      'schedule_spec.run_at',
      'next tuesday',
    ],
    [
      'both',
      ['once', { run_at: '2026-08-01', delay_seconds: 5 }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.delay_seconds',
      'not both',
    ],
    [
      'half a second',
      ['once', { delay_seconds: 0.5 }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.delay_seconds',
      'whole number',
    ],
    [
      'no delay',
      ['once', { delay_seconds: 0 }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.delay_seconds',
      'from 1 to',
    ],
    [
      'a delay in words',
      ['once', { delay_seconds: '60' }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.delay_seconds',
      'whole number',
    ],
    [
      'an endless delay',
      ['once', { delay_seconds: 1e15 }, 'UTC'],
      'schedule.invalid-spec',
      'schedule_spec.delay_seconds',
      'whole number',
    ],
    ['no zone', ['cron', { cron: 'x' }, undefined], 'schedule.invalid-timezone', 'timezone', 'empty'],
    ['a zone that is no text', ['cron', { cron: 'x' }, 8], 'schedule.invalid-timezone', 'timezone', 'Europe/Paris'],
    ['a bad zone before anything else', ['teleport', 5, 'GMT+8'], 'schedule.invalid-timezone', 'timezone', 'GMT+8'],
  ] as const)('with %s is refused', (_what, [type, spec, zone], code, field, reason) => {
    const error = refusal(() => parseScheduleSpec(type, spec, zone, now));
    expect(error).toMatchObject({ kind: 'invalid', code, field });
    expect((error as Error).message).toContain(reason);
  });
});

describe('a schedule on the wire and in the store', () => {
  it('has its blanks folded, and its moment with the offset of the zone', () => {
    expect(toWire(cron('0  9 *\t* MON'))).toEqual({ cron: '0 9 * * MON' });
    expect(toWire(once('2026-08-02T01:00:00Z'))).toEqual({ run_at: '2026-08-02T09:00:00+08:00' });
  });

  it.each([cron('*/5 9 * * 1-5'), once('2026-08-02T09:00:00.250'), once('2026-10-25T01:30:00Z', 'Europe/Berlin')])(
    'comes back as it was (%#)',
    (spec) => {
      expect(restoreScheduleSpec(spec.type, toWire(spec), spec.zone.name)).toEqual(spec);
    },
  );

  it('is refused when it cannot be rebuilt', () => {
    expect(refusal(() => restoreScheduleSpec('once', { delay_seconds: 5 }, 'UTC'))).toMatchObject({
      code: 'schedule.invalid-run-at',
    });
    expect(refusal(() => restoreScheduleSpec('cron', { cron: '0 9 * *' }, 'UTC'))).toMatchObject({
      code: 'schedule.invalid-cron',
    });
    expect(refusal(() => restoreScheduleSpec('cron', {}, 'Moon'))).toMatchObject({ code: 'schedule.invalid-timezone' });
  });
});

describe('two schedules', () => {
  it('are equal when only blanks, or only the spelling of the moment, differ', () => {
    expect(sameSchedule(cron('0 9 * * *'), cron(' 0  9 * * *'))).toBe(true);
    expect(sameSchedule(once('2026-08-02T09:00:00'), once('2026-08-02T01:00:00Z'))).toBe(true);
  });

  it('differ by zone, by text, by instant and by type', () => {
    expect(sameSchedule(once('2026-08-02T01:00:00Z', 'UTC'), once('2026-08-02T01:00:00Z'))).toBe(false);
    expect(sameSchedule(cron('0 9 * * *'), cron('0 10 * * *'))).toBe(false);
    expect(sameSchedule(cron('0 9 * * *'), cron('0 9 * * *', 'UTC'))).toBe(false);
    expect(sameSchedule(once('2026-08-02'), once('2026-08-03'))).toBe(false);
    expect(sameSchedule(once('2026-08-02'), cron('0 9 * * *'))).toBe(false);
    expect(sameSchedule(cron('0 9 * * *'), once('2026-08-02'))).toBe(false);
  });

  it('in two zones: a cron follows the new wall clock, a moment stays the same instant', () => {
    expect(nextRun(inZone(cron('0 9 * * *'), 'UTC'), now)).toEqual(new Date('2026-07-28T09:00:00Z'));
    expect(nextRun(inZone(once('2026-08-02T09:00:00'), 'UTC'), now)).toEqual(new Date('2026-08-02T01:00:00Z'));
    expect(toWire(inZone(once('2026-08-02T09:00:00'), 'UTC'))).toEqual({ run_at: '2026-08-02T01:00:00+00:00' });
    expect(refusal(() => inZone(cron('0 9 * * *'), 'CST'))).toMatchObject({ field: 'timezone' });
  });
});

describe('the runs of a schedule', () => {
  it('of a cron are strictly after the instant asked from', () => {
    expect(nextRun(cron('0 9 * * *'), now)).toEqual(new Date('2026-07-28T01:00:00Z'));
    expect(nextRun(cron('0 9 * * *'), new Date('2026-07-28T01:00:00Z'))).toEqual(new Date('2026-07-29T01:00:00Z'));
    expect(firstRun(cron('0 9 * * *'), now, 3600)).toEqual(new Date('2026-07-28T01:00:00Z'));
  });

  it.each([
    ['next-02: one second ago', '2026-07-27T11:59:59Z', null],
    ['next-03: exactly now', '2026-07-27T12:00:00Z', null],
    ['to come', '2026-07-27T12:00:01Z', '2026-07-27T12:00:01Z'],
  ])('of a moment are one, and none once it has come: %s', (_what, runAt, next) => {
    expect(nextRun(once(runAt), now)).toEqual(next === null ? null : new Date(next));
  });

  it('of a moment begin at the earliest after the delay', () => {
    expect(firstRun(once('2026-07-27T12:01:00Z'), now, 60)).toEqual(new Date('2026-07-27T12:01:00Z'));
    const error = refusal(() => firstRun(once('2026-07-27T12:00:59.999Z'), now, 60));
    expect(error).toMatchObject({ kind: 'invalid', code: 'schedule.once-too-soon', field: 'schedule_spec.run_at' });
    expect((error as Error).message).toBe(
      '2026-07-27T20:00:59.999+08:00 is too soon: the earliest moment accepted now is 2026-07-27T20:01:00+08:00 (60 s from now).',
    );
  });

  it('of a moment are never now or past, without a delay too', () => {
    expect(firstRun(once('2026-07-27T12:00:00.001Z'), now, 0)).toEqual(new Date('2026-07-27T12:00:00.001Z'));
    const error = refusal(() => firstRun(once('2026-07-27T12:00:00Z'), now, 0)) as Error;
    expect(error.message).toBe(
      '2026-07-27T20:00:00+08:00 is not in the future: it must be later than now, 2026-07-27T20:00:00+08:00.',
    );
  });
});
