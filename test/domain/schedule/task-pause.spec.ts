import type { ScheduledTask } from '../../../src/schedule/domain/task';
import { mayBeClaimed } from '../../../src/schedule/domain/dispatch';
import type { TaskStatus } from '../../../src/schedule/domain/status';
import { title } from '../../support/schedule-cases';
import { aTask, at, cron, NOON, once, refusal } from '../../support/schedule-builders';

const PAST_MOMENT = once('2026-07-01T09:00:00Z');
const COMING_MOMENT = once('2026-08-01T09:00:00Z');
const LATER = at('2026-08-10T12:00:00Z');

describe('pausing', () => {
  test(title('pause-01'), () => {
    const paused = aTask().pause(NOON);
    expect(paused).toMatchObject({ status: 'paused', updatedAt: NOON });
    expect(mayBeClaimed(paused, null, LATER)).toBe(false);
  });
  test(title('pause-07'), () => {
    const paused = aTask().pause(NOON);
    expect(paused.pause(LATER)).toBe(paused);
  });
  test('keeps the next instant to come, so that one sees where the task would go on', () => {
    expect(aTask().pause(NOON)).toMatchObject({ nextRunAt: at('2026-07-28T09:00:00Z'), missedOccurrences: 0 });
    expect(aTask({ spec: COMING_MOMENT }).pause(NOON).nextRunAt).toEqual(at('2026-08-01T09:00:00Z'));
  });
  test('gives up an occurrence that was due already, and counts it with those that had collapsed into it', () => {
    const paused = aTask({ nextRunAt: at('2026-07-26T09:00:00Z') }).pause(NOON);
    expect(paused).toMatchObject({ missedOccurrences: 2, nextRunAt: at('2026-07-28T09:00:00Z') });
    const onceDue = aTask({ spec: once('2026-07-27T11:59:59Z') }).pause(NOON);
    expect(onceDue).toMatchObject({ status: 'paused', missedOccurrences: 1, nextRunAt: null });
  });
  test('is refused while a poller owns the round', () => {
    expect(refusal(() => aTask({ status: 'running' }).pause(NOON))).toMatchObject({
      kind: 'conflict',
      code: 'schedule.task-dispatching',
    });
  });
  test.each(['completed', 'failed', 'cancelled'] as const)('a once task that is %s is refused', (status) => {
    const task = aTask({ spec: PAST_MOMENT, status, nextRunAt: null });
    expect(refusal(() => task.pause(NOON))).toMatchObject({ kind: 'conflict', code: 'schedule.task-finished' });
  });
});

describe('resuming', () => {
  test(title('pause-02'), () => {
    expect(aTask().pause(NOON).resume(NOON)).toMatchObject({ status: 'enabled', updatedAt: NOON });
  });
  test('a cron task goes on from now: what passed while it was paused is neither run nor counted', () => {
    const resumed = aTask().pause(NOON).resume(LATER);
    expect(resumed).toMatchObject({
      status: 'enabled',
      nextRunAt: at('2026-08-11T09:00:00Z'),
      missedOccurrences: 0,
    });
  });
  test('only the time it was enabled counts, over several pauses', () => {
    const task = aTask({ nextRunAt: at('2026-07-26T09:00:00Z') })
      .pause(NOON) // two due
      .resume(at('2026-07-30T12:00:00Z'))
      .pause(at('2026-08-01T12:00:00Z')) // 31 July and 1 August
      .resume(LATER);
    expect(task.missedOccurrences).toBe(4);
  });
  test('a once task to come keeps its moment, however near', () => {
    const task = aTask({ spec: once('2026-07-27T12:00:05Z'), status: 'paused' });
    expect(task.resume(NOON).nextRunAt).toEqual(at('2026-07-27T12:00:05Z'));
  });
  test(title('pause-08'), () => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      for (const spec of [PAST_MOMENT, COMING_MOMENT]) {
        const error = refusal(() => aTask({ spec, status, nextRunAt: null }).resume(NOON));
        expect(error).toMatchObject({ kind: 'conflict', code: 'schedule.task-finished' });
        expect(error.message).toMatch(/new run_at/);
      }
    }
  });
  test(`${title('pause-10')} (our rule: refused, with the way out)`, () => {
    const paused = aTask({ spec: COMING_MOMENT }).pause(NOON);
    const error = refusal(() => paused.resume(LATER));
    expect(error).toMatchObject({ kind: 'conflict', code: 'schedule.moment-passed' });
    expect(error.message).toMatch(/new run_at/);
  });
  test('an enabled task changes nothing, not even a due next_run_at', () => {
    for (const nextRunAt of [at('2026-07-20T09:00:00Z'), at('2026-07-28T09:00:00Z')]) {
      const task = aTask({ nextRunAt });
      expect(task.resume(NOON)).toBe(task);
    }
  });
  test('an enabled task without a next instant gets one: the alarm can be answered by hand', () => {
    expect(aTask({ nextRunAt: null }).resume(NOON).nextRunAt).toEqual(at('2026-07-28T09:00:00Z'));
  });
  test('a cron task that failed goes on from now', () => {
    const task = aTask({ status: 'failed', nextRunAt: null, lastError: 'boom' });
    expect(task.resume(NOON)).toMatchObject({ status: 'enabled', nextRunAt: at('2026-07-28T09:00:00Z') });
  });
  test('is refused while a poller owns the round', () => {
    expect(refusal(() => aTask({ status: 'running' }).resume(NOON)).code).toBe('schedule.task-dispatching');
  });
});

describe('deleting', () => {
  const statuses: [TaskStatus, TaskStatus][] = [
    ['enabled', 'cancelled'],
    ['paused', 'cancelled'],
    ['running', 'cancelled'],
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ];
  test.each(statuses)('works on a task that is %s and leaves it %s, never to be claimed', (status, after) => {
    const gone = aTask({ status }).delete(NOON);
    expect(gone).toMatchObject({ status: after, deletedAt: NOON, updatedAt: NOON, nextRunAt: null });
    expect(mayBeClaimed(gone, null, LATER)).toBe(false);
  });
  test('counts an occurrence that was due', () => {
    expect(aTask({ nextRunAt: NOON, spec: cron('0 12 * * *') }).delete(NOON).missedOccurrences).toBe(1);
    expect(aTask({ nextRunAt: NOON, status: 'paused' }).delete(NOON).missedOccurrences).toBe(0);
  });
  test('twice changes nothing', () => {
    const gone: ScheduledTask = aTask().delete(NOON);
    expect(gone.delete(LATER)).toBe(gone);
  });
});

describe('the next planned instants', () => {
  test('start with next_run_at itself, due or not', () => {
    const days = ['26', '27', '28'].map((day) => at(`2026-07-${day}T09:00:00Z`));
    expect(aTask({ nextRunAt: days[0] ?? null }).upcoming(3)).toEqual(days);
    expect(aTask({ status: 'running', nextRunAt: days[0] ?? null }).upcoming(1)).toEqual(days.slice(0, 1));
    expect(aTask({ spec: COMING_MOMENT }).upcoming(3)).toEqual([at('2026-08-01T09:00:00Z')]);
  });
  test.each(['paused', 'completed', 'failed', 'cancelled'] as const)('of a task that is %s: none', (status) => {
    expect(aTask({ status }).upcoming(3)).toEqual([]);
  });
});
