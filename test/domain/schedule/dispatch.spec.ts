import { claim, FOLDED, mayBeClaimed, OVERLAP } from '../../../src/schedule/domain/dispatch';
import type { Lease } from '../../../src/schedule/domain/dispatch';
import { OCCURRENCES } from '../../../src/schedule/domain/occurrences';
import type { ScheduleSpec } from '../../../src/schedule/domain/schedule-spec';
import { TASK_STATUSES } from '../../../src/schedule/domain/status';
import type { TaskStatus } from '../../../src/schedule/domain/status';
import { title, withData } from '../../support/schedule-cases';
import { at, cron, NOON, once } from '../../support/schedule-builders';

const PAST = at('2026-07-27T11:59:59Z');
const FUTURE = at('2026-07-27T12:00:01Z');
const LIVE: Lease = { owner: 'instance-2', expiresAt: FUTURE };
const LIVE_TO_THE_INSTANT: Lease = { owner: 'instance-2', expiresAt: NOON };
const EXPIRED: Lease = { owner: 'instance-2', expiresAt: PAST };

const due = (spec: ScheduleSpec, nextRunAt: Date, misfireGraceSeconds: number | null = null) => ({
  spec,
  nextRunAt,
  misfireGraceSeconds,
});

describe('which tasks a poller may take', () => {
  const cells: [TaskStatus, string, Lease | null, boolean][] = [
    ['enabled', 'none', null, true],
    ['enabled', 'live', LIVE, false],
    ['enabled', 'live to this instant', LIVE_TO_THE_INSTANT, false],
    ['enabled', 'expired', EXPIRED, true],
    ['running', 'none', null, false],
    ['running', 'live', LIVE, false],
    ['running', 'live to this instant', LIVE_TO_THE_INSTANT, false],
    ['running', 'expired', EXPIRED, true],
    ...TASK_STATUSES.filter((status) => status !== 'enabled' && status !== 'running').flatMap(
      (status): [TaskStatus, string, Lease | null, boolean][] => [
        [status, 'none', null, false],
        [status, 'live', LIVE, false],
        [status, 'expired', EXPIRED, false],
      ],
    ),
  ];
  test.each(cells)('a due task that is %s, lease %s', (status, _lease, lease, claimed) => {
    expect(mayBeClaimed({ status, nextRunAt: PAST, deletedAt: null }, lease, NOON)).toBe(claimed);
  });
  test.each([
    ['due at this very instant', NOON, null, true],
    ['due in a millisecond', new Date(NOON.getTime() + 1), null, false],
    ['without a next instant', null, null, false],
    ['deleted', PAST, PAST, false],
  ])('an enabled task %s', (_what, nextRunAt, deletedAt, claimed) => {
    expect(mayBeClaimed({ status: 'enabled', nextRunAt, deletedAt }, null, NOON)).toBe(claimed);
  });
  test.each(withData<{ status: TaskStatus; next_run_at: 'past' | 'future'; claimed: boolean }>('claim', 'claimed'))(
    '%s',
    (_title, { status, next_run_at, claimed }) => {
      const nextRunAt = next_run_at === 'past' ? PAST : FUTURE;
      expect(mayBeClaimed({ status, nextRunAt, deletedAt: null }, null, NOON)).toBe(claimed);
    },
  );
  test(title('claim-08'), () => {
    expect(mayBeClaimed({ status: 'running', nextRunAt: PAST, deletedAt: null }, LIVE, NOON)).toBe(false);
  });
  test(title('claim-10'), () => {
    expect(mayBeClaimed({ status: 'running', nextRunAt: PAST, deletedAt: null }, null, NOON)).toBe(false);
  });
});

describe('a claim of a task that queues', () => {
  const queueing = { overlapPolicy: 'queue' as const };
  test('may wait: a cron task’s round is over, a once task belongs to the run that waits', () => {
    expect(claim({ ...due(cron('0 * * * *'), NOON), ...queueing }, NOON)).toMatchObject({
      ifWaiting: { status: 'enabled', nextRunAt: at('2026-07-27T13:00:00Z'), missedBy: 0 },
      ifSkipped: { status: 'enabled' },
      skip: FOLDED,
    });
    const { ifWaiting, ifSkipped } = claim({ ...due(once('2026-07-27T12:00:00Z'), NOON), ...queueing }, NOON);
    expect([ifWaiting, ifSkipped]).toEqual([
      { status: 'running', nextRunAt: null, missedBy: 0 },
      { status: 'running', nextRunAt: null, missedBy: 0 },
    ]);
  });
  test('too late is too late, also for one that would wait', () => {
    expect(claim({ ...due(cron('0 * * * *'), NOON, 10), ...queueing }, at('2026-07-27T12:00:11Z'))).toMatchObject({
      ...{ ifQueued: null, ifWaiting: null, skip: { reason: 'too_late' } },
    });
  });
});

describe('a claim of a cron task that fires once', () => {
  test('leaves no next instant, like a once task, and counts nothing as missed', () => {
    const claimed = claim({ ...due(cron('* * * * *'), NOON), recurring: false }, at('2026-07-27T12:05:00Z'));
    expect(claimed).toMatchObject({
      ifQueued: { status: 'running', nextRunAt: null, missedBy: 0 },
      ifSkipped: { status: 'failed', nextRunAt: null, missedBy: 0 },
    });
  });
});

describe('a claim on time', () => {
  test('of a cron task carries the planned instant and moves on to the next', () => {
    expect(claim(due(cron('0 * * * *'), NOON), at('2026-07-27T12:00:00.020Z'))).toEqual({
      scheduledFor: NOON,
      ifQueued: { status: 'running', nextRunAt: at('2026-07-27T13:00:00Z'), missedBy: 0 },
      ifWaiting: null,
      ifSkipped: { status: 'enabled', nextRunAt: at('2026-07-27T13:00:00Z'), missedBy: 0 },
      skip: OVERLAP,
    });
  });
  test('of a once task leaves no next instant; a once task skipped for overlap has failed, not completed', () => {
    expect(claim(due(once('2026-07-27T12:00:00Z'), NOON), NOON)).toEqual({
      scheduledFor: NOON,
      ifQueued: { status: 'running', nextRunAt: null, missedBy: 0 },
      ifWaiting: null,
      ifSkipped: { status: 'failed', nextRunAt: null, missedBy: 0, lastError: OVERLAP.error },
      skip: OVERLAP,
    });
  });
  test(`${title('skip-status-02')} (our rule: the last error is left alone)`, () => {
    const { ifSkipped } = claim(due(cron('0 * * * *'), NOON), NOON);
    expect(ifSkipped.status).toBe('enabled');
    expect(ifSkipped).not.toHaveProperty('lastError');
  });
  test(title('submit-06'), () => {
    const { ifQueued } = claim(due(cron('* * * * *'), at('2026-07-27T11:59:00Z')), at('2026-07-27T11:59:59.900Z'));
    expect(ifQueued?.nextRunAt).toEqual(NOON);
  });
  test('never answers an instant at or before the planned one, should the clock lie behind it', () => {
    const { ifQueued } = claim(due(cron('0 * * * *'), NOON), PAST);
    expect(ifQueued?.nextRunAt).toEqual(at('2026-07-27T13:00:00Z'));
  });
});

describe('a claim after a wait', () => {
  test(title('budget-05'), () => {
    const { scheduledFor, ifQueued } = claim(due(cron('*/10 * * * *'), at('2026-07-27T11:00:00Z')), NOON);
    expect(scheduledFor).toEqual(at('2026-07-27T11:00:00Z'));
    expect(ifQueued).toEqual({ status: 'running', nextRunAt: at('2026-07-27T12:10:00Z'), missedBy: 6 });
  });
  test('counts the same whether its run is queued or skipped', () => {
    const { ifQueued, ifSkipped } = claim(due(cron('*/10 * * * *'), at('2026-07-27T11:00:00Z')), NOON);
    expect(ifSkipped.missedBy).toBe(ifQueued?.missedBy);
  });
  test('counts to 1,000 and no further, at once', () => {
    const { ifQueued } = claim(due(cron('* * * * *'), at('2020-01-01T00:00:00Z')), NOON);
    expect(ifQueued).toEqual({ status: 'running', nextRunAt: at('2026-07-27T12:01:00Z'), missedBy: 1_000 });
  });
  test(`${title('s14-20')} (our rule: the occurrences that wait collapse into one, which runs)`, () => {
    const { scheduledFor, ifQueued } = claim(due(cron('0 9 * * *'), at('2026-07-27T09:00:00Z')), NOON);
    expect(scheduledFor).toEqual(at('2026-07-27T09:00:00Z'));
    expect(ifQueued).toMatchObject({ status: 'running', missedBy: 0 });
  });
  test(title('next-09'), () => {
    const moment = once('2026-07-27T11:00:00Z');
    expect(OCCURRENCES.next(moment, NOON)).toBeNull();
    expect(claim(due(moment, at('2026-07-27T11:00:00Z')), NOON).ifQueued?.nextRunAt).toBeNull();
  });
});

describe('a claim later than the misfire grace', () => {
  test.each([
    ['at the limit', '2026-07-27T12:00:30Z', false],
    ['a millisecond later', '2026-07-27T12:00:30.001Z', true],
  ])('%s', (_what, now, tooLate) => {
    const decided = claim(due(cron('0 * * * *'), NOON, 30), at(now));
    expect(decided.ifQueued === null).toBe(tooLate);
    expect(decided.skip.reason).toBe(tooLate ? 'too_late' : 'overlap');
  });
  test('of a once task has failed, and says how late it was', () => {
    const moment = at('2026-07-27T11:00:00Z');
    const decided = claim(due(once('2026-07-27T11:00:00Z'), moment, 60), NOON);
    expect(decided).toMatchObject({ scheduledFor: moment, ifQueued: null, skip: { reason: 'too_late' } });
    expect(decided.ifSkipped).toEqual({
      status: 'failed',
      nextRunAt: null,
      missedBy: 0,
      lastError: decided.skip.error,
    });
    expect(decided.skip.error).toContain('3600 s after');
    expect(decided.skip.error).toContain('60 s allowed');
  });
  test('of a cron task collapses what is too late, and comes back at once for what is not', () => {
    // Planned for Saturday 9:00; the machine slept until Monday 9:10. A grace of an hour covers Monday's run.
    const monday = at('2026-07-27T09:10:00Z');
    const daily = cron('0 9 * * *');
    const late = claim(due(daily, at('2026-07-25T09:00:00Z'), 3_600), monday);
    expect(late.ifQueued).toBeNull();
    expect(late.ifSkipped).toEqual({ status: 'enabled', nextRunAt: at('2026-07-27T09:00:00Z'), missedBy: 1 });
    const then = claim(due(daily, at('2026-07-27T09:00:00Z'), 3_600), monday);
    expect(then.ifQueued).toEqual({ status: 'running', nextRunAt: at('2026-07-28T09:00:00Z'), missedBy: 0 });
  });
  test('of a cron task whose every occurrence is too late goes on after now', () => {
    const late = claim(due(cron('0 9 * * *'), at('2026-07-25T09:00:00Z'), 60), at('2026-07-27T09:10:00Z'));
    expect(late.ifSkipped).toEqual({ status: 'enabled', nextRunAt: at('2026-07-28T09:00:00Z'), missedBy: 2 });
  });
  test('an instant on the very edge of the grace is not too late', () => {
    const late = claim(due(cron('* * * * *'), at('2026-07-27T11:50:00Z'), 120), NOON);
    expect(late.ifSkipped).toMatchObject({ nextRunAt: at('2026-07-27T11:58:00Z'), missedBy: 7 });
  });
});
