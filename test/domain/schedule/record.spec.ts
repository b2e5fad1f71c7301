import { THREAD_BUSY } from '../../../src/schedule/domain/dispatch';
import { lostWithItsProcess, outcomeOf } from '../../../src/schedule/domain/outcome';
import type { Outcome } from '../../../src/schedule/domain/outcome';
import { afterBusy, afterFailure, afterFinding, afterLaunch, afterOutcome } from '../../../src/schedule/domain/record';
import type { ScheduledRun } from '../../../src/schedule/domain/run';
import { TASK_STATUSES, TRIGGERS } from '../../../src/schedule/domain/status';
import { ScheduledTask } from '../../../src/schedule/domain/task';
import { changed, NO_CHANGE } from '../../../src/schedule/domain/task-progress';
import type { ProgressChange } from '../../../src/schedule/domain/task-progress';
import { title } from '../../support/schedule-cases';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';

const STARTED = at('2026-07-27T12:00:00.020Z');
const ENDED = at('2026-07-27T12:05:00Z');
const LAUNCH = { agentRunId: 'a-1', startedAt: STARTED };
const UNKNOWN = { agentRunId: null, startedAt: STARTED };
const NO_LAUNCH = { error: 'no such program', at: ENDED };
const SUCCESS = outcomeOf('success', null) as Outcome;
const FAILURE = outcomeOf('error', 'boom') as Outcome;
const INTERRUPTED = outcomeOf('interrupted', null) as Outcome;
const MOMENT = once('2026-07-27T12:00:00Z');
const TO_COME = once('2026-08-01T09:00:00Z');

const MANUAL = aRun({ trigger: 'manual' });
const PLANNED = aRun();
const CLAIMED_CRON = aTask({ status: 'running', lastError: 'old' });
const CLAIMED_ONCE = aTask({ spec: MOMENT, status: 'running', nextRunAt: null, lastError: 'old' });
const FACTS = { lastRunAt: STARTED, lastRunId: 'a-1', lastThreadId: 'thread-1', runCountBy: 1 };

const apply = (task: ScheduledTask, change: ProgressChange): ScheduledTask =>
  new ScheduledTask(task.rule, changed(task.progress, change));

describe('the record of a launch', () => {
  test(title('protect-03'), () => {
    expect(afterLaunch(CLAIMED_CRON, PLANNED, LAUNCH)).toEqual({ ...FACTS, status: 'enabled', lastError: null });
    expect(afterLaunch(CLAIMED_ONCE, PLANNED, LAUNCH)).toEqual({
      ...FACTS,
      status: 'running',
      lastError: null,
      nextRunAt: null,
    });
  });
  test('of unknown fate counts like any other, with no agent run to show', () => {
    expect(afterLaunch(CLAIMED_CRON, PLANNED, UNKNOWN)).toEqual({
      ...FACTS,
      lastRunId: null,
      status: 'enabled',
      lastError: null,
    });
  });
  test('by hand of a cron task leaves next_run_at alone: a due occurrence is still to come', () => {
    const task = aTask({ nextRunAt: NOON });
    const change = afterLaunch(task, MANUAL, LAUNCH);
    expect(change).toEqual({ ...FACTS, status: 'enabled', lastError: null });
    expect(apply(task, change).nextRunAt).toEqual(NOON);
  });
  test(title('pause-04'), () => {
    const paused = aTask({ status: 'paused' });
    const launched = apply(paused, afterLaunch(paused, MANUAL, LAUNCH));
    expect(launched).toMatchObject({ status: 'paused', runCount: 1, nextRunAt: paused.nextRunAt });
    expect(apply(launched, afterOutcome(launched, MANUAL.launched(LAUNCH), SUCCESS)).status).toBe('paused');
  });
  test(title('pause-05'), () => {
    const paused = aTask({ spec: TO_COME, status: 'paused' });
    const launched = apply(paused, afterLaunch(paused, MANUAL, LAUNCH));
    expect(launched.status).toBe('running');
    expect(apply(launched, afterOutcome(launched, MANUAL.launched(LAUNCH), FAILURE)).status).toBe('failed');
  });
  test(`${title('trigger-10')} (our rule: consumed, so nothing is left that would never fire)`, () => {
    const task = aTask({ spec: TO_COME });
    const launched = apply(task, afterLaunch(task, MANUAL, LAUNCH));
    expect(launched).toMatchObject({ status: 'running', nextRunAt: null });
    const ended = apply(launched, afterOutcome(launched, MANUAL.launched(LAUNCH), SUCCESS));
    expect(ended).toMatchObject({ status: 'completed', nextRunAt: null, runCount: 1 });
  });
  test('written twice, by an old owner and the one who took over, counts once', () => {
    const launched = apply(CLAIMED_CRON, afterLaunch(CLAIMED_CRON, PLANNED, LAUNCH));
    const run = PLANNED.launched(LAUNCH);
    const later = { agentRunId: 'a-1', startedAt: ENDED };
    expect(afterLaunch(launched, run, later)).toBe(NO_CHANGE);
    expect(afterLaunch(launched, run, UNKNOWN)).toBe(NO_CHANGE);
    const ended = apply(launched, afterOutcome(launched, run, FAILURE));
    expect(afterLaunch(ended, run.ended(FAILURE, ENDED), later)).toBe(NO_CHANGE);
  });
  test('written twice, at first of unknown fate, brings the agent run and nothing else', () => {
    const launched = apply(CLAIMED_CRON, afterLaunch(CLAIMED_CRON, PLANNED, UNKNOWN));
    const run = PLANNED.launched(UNKNOWN);
    expect(afterLaunch(launched, run, LAUNCH)).toEqual({ lastRunId: 'a-1' });
    expect(afterLaunch(launched, run, UNKNOWN)).toBe(NO_CHANGE);
  });
  test('leaves a deleted task alone', () => {
    expect(afterLaunch(CLAIMED_CRON.delete(NOON), PLANNED, LAUNCH)).toBe(NO_CHANGE);
  });
  test('only counts when a newer launch was written first', () => {
    const task = aTask({ lastRunAt: ENDED, lastRunId: 'a-2' });
    expect(afterLaunch(task, PLANNED, LAUNCH)).toEqual({ runCountBy: 1 });
  });
  test.each(['completed', 'failed', 'cancelled'] as const)(
    'does not bring a once task back that was settled as %s meanwhile',
    (status) => {
      const task = aTask({ spec: MOMENT, status, nextRunAt: null });
      expect(afterLaunch(task, PLANNED, LAUNCH)).toEqual(FACTS);
    },
  );
  test('that comes after the end leaves the last error to the end', () => {
    expect(afterLaunch(CLAIMED_CRON, PLANNED.ended(FAILURE, ENDED), LAUNCH)).toEqual({ ...FACTS, status: 'enabled' });
  });
  test('that comes after the end takes nothing from a task that has been given a new moment since', () => {
    const rearmed = aTask({ spec: TO_COME });
    expect(afterLaunch(rearmed, MANUAL.ended(SUCCESS, ENDED), LAUNCH)).toEqual(FACTS);
  });
});

describe('the record of a launch that certainly failed', () => {
  const failed = { lastRunAt: ENDED, lastRunId: null, lastThreadId: 'thread-1', lastError: 'no such program' };
  test('of a planned run gives the round back, and a once task has failed', () => {
    expect(afterFailure(CLAIMED_CRON, PLANNED, NO_LAUNCH)).toEqual({ ...failed, status: 'enabled' });
    expect(afterFailure(CLAIMED_ONCE, PLANNED, NO_LAUNCH)).toEqual({ ...failed, status: 'failed' });
  });
  test(title('trigger-04'), () => {
    for (const status of ['enabled', 'paused'] as const) {
      const task = aTask({ status });
      const change = afterFailure(task, MANUAL, NO_LAUNCH);
      expect(change).toEqual(failed);
      expect(apply(task, change)).toMatchObject({ status, nextRunAt: task.nextRunAt, runCount: 0 });
    }
  });
  test.each(TASK_STATUSES)(
    'by hand of a once task that is %s changes nothing (our rule): its run is to come',
    (status) => {
      expect(afterFailure(aTask({ spec: TO_COME, status }), MANUAL, NO_LAUNCH)).toBe(NO_CHANGE);
    },
  );
  test('leaves alone what is deleted, has started, has ended, or was settled', () => {
    expect(afterFailure(CLAIMED_CRON.delete(NOON), PLANNED, NO_LAUNCH)).toBe(NO_CHANGE);
    expect(afterFailure(CLAIMED_CRON, PLANNED.ended(SUCCESS, ENDED), NO_LAUNCH)).toBe(NO_CHANGE);
    expect(afterFailure(aTask(), PLANNED.launched(LAUNCH), NO_LAUNCH)).toBe(NO_CHANGE);
    const settled = aTask({ spec: MOMENT, status: 'cancelled' });
    expect(afterFailure(settled, PLANNED, NO_LAUNCH)).not.toHaveProperty('status');
  });
});

describe('the record of a busy thread', () => {
  test(`${title('busy-01')} (our rule: last_error is left as it was)`, () => {
    expect(afterBusy(CLAIMED_CRON, PLANNED)).toEqual({ status: 'enabled' });
  });
  test('of a once task: its one chance is gone, and it says why', () => {
    expect(afterBusy(CLAIMED_ONCE, PLANNED)).toEqual({ status: 'failed', lastError: THREAD_BUSY.error });
  });
  test.each(TASK_STATUSES)('by hand never touches the task (%s)', (status) => {
    expect(afterBusy(aTask({ status }), MANUAL)).toBe(NO_CHANGE);
    expect(afterBusy(aTask({ spec: TO_COME, status }), MANUAL)).toBe(NO_CHANGE);
  });
  test('leaves alone what is deleted, has started, has ended, or was settled', () => {
    expect(afterBusy(CLAIMED_CRON.delete(NOON), PLANNED)).toBe(NO_CHANGE);
    expect(afterBusy(CLAIMED_CRON, PLANNED.ended(SUCCESS, ENDED))).toBe(NO_CHANGE);
    expect(afterBusy(aTask(), PLANNED.launched(LAUNCH))).toBe(NO_CHANGE);
    expect(afterBusy(aTask({ spec: MOMENT, status: 'cancelled' }), PLANNED)).toBe(NO_CHANGE);
  });
});

describe('the record of an end', () => {
  const RUNNING = PLANNED.launched(LAUNCH);
  const LAUNCHED_ONCE = apply(CLAIMED_ONCE, afterLaunch(CLAIMED_ONCE, PLANNED, LAUNCH));

  test(title('protect-04'), () => {
    const change = afterOutcome(LAUNCHED_ONCE, RUNNING, FAILURE);
    expect(change).toEqual({ status: 'failed', lastError: 'boom' });
    expect(apply(LAUNCHED_ONCE, change).progress).toEqual({
      ...LAUNCHED_ONCE.progress,
      status: 'failed',
      lastError: 'boom',
    });
  });
  test(title('completion-status-07'), () => {
    expect(afterOutcome(aTask(), RUNNING, FAILURE)).toEqual({ lastError: 'boom' });
  });
  test('of a success clears the last error', () => {
    expect(afterOutcome(aTask({ lastError: 'old' }), RUNNING, SUCCESS)).toEqual({ lastError: null });
  });
  test('that was interrupted cancels a once task', () => {
    expect(afterOutcome(LAUNCHED_ONCE, RUNNING, INTERRUPTED)).toMatchObject({ status: 'cancelled' });
  });
  test.each(['completed', 'failed', 'cancelled'] as const)('does not overwrite %s', (status) => {
    const task = aTask({ spec: MOMENT, status });
    expect(afterOutcome(task, RUNNING, SUCCESS)).not.toHaveProperty('status');
  });
  test(title('delete-02'), () => {
    const deleted = LAUNCHED_ONCE.delete(NOON);
    expect(afterOutcome(deleted, RUNNING, SUCCESS)).toBe(NO_CHANGE);
    expect(RUNNING.ended(SUCCESS, ENDED)).toMatchObject({ status: 'success', finishedAt: ENDED });
  });
  test('delivered twice changes nothing the second time', () => {
    const done = apply(LAUNCHED_ONCE, afterOutcome(LAUNCHED_ONCE, RUNNING, SUCCESS));
    expect(afterOutcome(done, RUNNING.ended(SUCCESS, ENDED), SUCCESS)).toBe(NO_CHANGE);
    expect(afterOutcome(done, RUNNING.ended(SUCCESS, ENDED), FAILURE)).toBe(NO_CHANGE);
  });
  test(title('startup-02'), () => {
    const change = afterOutcome(LAUNCHED_ONCE, RUNNING, lostWithItsProcess());
    expect(change.status).toBe('cancelled');
    expect(change.lastError).toMatch(/restarted/);
  });
  test(title('startup-04'), () => {
    expect(afterOutcome(CLAIMED_CRON, RUNNING, lostWithItsProcess())).not.toHaveProperty('status');
  });

  describe('that corrects a presumed one', () => {
    const lost = RUNNING.ended(lostWithItsProcess(), ENDED);
    const cancelled = apply(LAUNCHED_ONCE, afterOutcome(LAUNCHED_ONCE, RUNNING, lostWithItsProcess()));

    test(title('startup-11'), () => {
      expect(afterOutcome(cancelled, lost, SUCCESS)).toEqual({ status: 'completed', lastError: null });
    });
    test('is not taken twice', () => {
      const corrected = apply(cancelled, afterOutcome(cancelled, lost, SUCCESS));
      expect(afterOutcome(corrected, lost.ended(SUCCESS, ENDED), FAILURE)).toBe(NO_CHANGE);
    });
    test('does not take back a new moment the owner has given since', () => {
      const rearmed = apply(cancelled, { status: 'enabled', nextRunAt: at('2026-08-01T09:00:00Z') });
      expect(afterOutcome(rearmed, lost, SUCCESS)).toEqual({ lastError: null });
    });
    test('leaves last_error to a newer run', () => {
      const newer = apply(cancelled, { lastRunId: 'a-2', lastError: 'newer' });
      expect(afterOutcome(newer, lost, SUCCESS)).toBe(NO_CHANGE);
    });
  });
});

describe('the finding of an unknown launch', () => {
  const run = PLANNED.launched(UNKNOWN);
  test('shows the agent run, unless a newer one was launched or the task is gone', () => {
    const task = aTask({ lastRunAt: STARTED, lastRunId: null });
    expect(afterFinding(task, run, 'a-1')).toEqual({ lastRunId: 'a-1' });
    expect(afterFinding(aTask({ lastRunId: 'a-2' }), run, 'a-1')).toBe(NO_CHANGE);
    expect(afterFinding(task.delete(NOON), run, 'a-1')).toBe(NO_CHANGE);
  });
});

describe('launch and end come to the same result in either order', () => {
  const starts = (['cron', 'once'] as const).flatMap((type) =>
    TRIGGERS.flatMap((trigger) =>
      TASK_STATUSES.filter((status) => (trigger === 'scheduled') === (status === 'running')).flatMap((status) =>
        [SUCCESS, FAILURE, INTERRUPTED].map((outcome) => ({ type, trigger, status, outcome })),
      ),
    ),
  );
  test.each(starts)('$type, $trigger, $status, $outcome.status', ({ type, trigger, status, outcome }) => {
    const task = aTask({ ...(type === 'once' ? { spec: TO_COME } : {}), status, lastError: 'old' });
    const run = aRun({ trigger });
    const launch = (to: ScheduledTask, of: ScheduledRun): ScheduledTask => apply(to, afterLaunch(to, of, LAUNCH));
    const end = (to: ScheduledTask, of: ScheduledRun): ScheduledTask => apply(to, afterOutcome(to, of, outcome));

    const inOrder = end(launch(task, run), run.launched(LAUNCH));
    const crossed = launch(end(task, run), run.ended(outcome, ENDED));
    expect(crossed.progress).toEqual(inOrder.progress);
    expect({ ...run.ended(outcome, ENDED).launched(LAUNCH) }).toEqual({
      ...run.launched(LAUNCH).ended(outcome, ENDED),
    });
  });
});
