// Each event goes to both books, the run's row and its task's columns. The rules themselves: run.spec.ts, record.spec.ts.
import { lostWithItsProcess, outcomeOf } from '../../../src/schedule/domain/outcome';
import type { Outcome } from '../../../src/schedule/domain/outcome';
import { applyEvent } from '../../../src/schedule/domain/run-event';
import type { RunEvent } from '../../../src/schedule/domain/run-event';
import { ScheduledTask } from '../../../src/schedule/domain/task';
import { changed, NO_CHANGE } from '../../../src/schedule/domain/task-progress';
import type { ProgressChange } from '../../../src/schedule/domain/task-progress';
import { aRun, aTask, at, once } from '../../support/schedule-builders';

const STARTED = at('2026-07-27T12:00:00.020Z');
const ENDED = at('2026-07-27T12:05:00Z');
const LAUNCH = { agentRunId: 'a-1', startedAt: STARTED };
const SUCCESS = outcomeOf('success', null) as Outcome;
const CLAIMED = aTask({ status: 'running' });
const LAUNCHED: RunEvent = { type: 'launched', launch: LAUNCH };
const UNKNOWN: RunEvent = { type: 'launched', launch: { agentRunId: null, startedAt: ENDED } };
const BUSY: RunEvent = { type: 'thread-busy', at: ENDED };
const FAILED: RunEvent = { type: 'launch-failed', error: 'no such program', at: ENDED };

test('a launch', () => {
  const { run, change } = applyEvent(CLAIMED, aRun(), LAUNCHED);
  expect(run).toMatchObject({ status: 'running', ...LAUNCH });
  expect(change).toMatchObject({ status: 'enabled', runCountBy: 1, lastRunId: 'a-1', lastRunAt: STARTED });
});

test('a launch that failed', () => {
  const { run, change } = applyEvent(CLAIMED, aRun(), FAILED);
  expect(run).toMatchObject({ status: 'failed', reason: 'launch_failed', error: 'no such program' });
  expect(change).toMatchObject({ status: 'enabled', lastError: 'no such program' });
});

test('a busy thread is a skip when planned, and a failed run that leaves the task alone when asked for by hand', () => {
  const planned = applyEvent(CLAIMED, aRun(), BUSY);
  expect(planned.run).toMatchObject({ status: 'skipped', reason: 'thread_busy' });
  expect(planned.change).toEqual({ status: 'enabled' });
  const byHand = applyEvent(aTask(), aRun({ trigger: 'manual' }), BUSY);
  expect(byHand.run).toMatchObject({ status: 'failed', reason: 'thread_busy' });
  expect(byHand.change).toBe(NO_CHANGE);
});

test('a launch of unknown fate that was found', () => {
  const unknown = applyEvent(CLAIMED, aRun(), { type: 'launched', launch: { agentRunId: null, startedAt: STARTED } });
  const task = { ...CLAIMED.rule, scheduleType: CLAIMED.scheduleType, ...changed(CLAIMED.progress, unknown.change) };
  const found = applyEvent(task, unknown.run, { type: 'found', agentRunId: 'a-1' });
  expect(found.run.agentRunId).toBe('a-1');
  expect(found.change).toEqual({ lastRunId: 'a-1' });
});

describe('an end that arrives before its launch was written down', () => {
  const event: RunEvent = { type: 'ended', outcome: SUCCESS, at: ENDED, launch: LAUNCH };
  const progressed = (task: ScheduledTask, change: ProgressChange): ScheduledTask =>
    new ScheduledTask(task.rule, changed(task.progress, change));

  test.each([
    ['cron', CLAIMED, aRun()],
    ['once', aTask({ spec: once('2026-07-27T12:00:00Z'), status: 'running', nextRunAt: null }), aRun()],
    ['once, by hand', aTask({ spec: once('2026-08-01T09:00:00Z') }), aRun({ trigger: 'manual' })],
    ['deleted', CLAIMED.delete(ENDED), aRun()],
  ])('writes both, as if they had come in order (%s)', (_what, task, queued) => {
    const launched = applyEvent(task, queued, LAUNCHED);
    const inOrder = applyEvent(progressed(task, launched.change), launched.run, event);
    const atOnce = applyEvent(task, queued, event);
    expect({ ...atOnce.run }).toEqual({ ...inOrder.run });
    const after = progressed(task, atOnce.change);
    expect(after.progress).toEqual(progressed(progressed(task, launched.change), inOrder.change).progress);
    for (const late of [LAUNCHED, UNKNOWN]) {
      expect(applyEvent(after, atOnce.run, late)).toEqual({ run: atOnce.run, change: NO_CHANGE });
    }
  });
  test('gives the round of a cron task back, so that it is open to edits', () => {
    const { run, change } = applyEvent(CLAIMED, aRun(), event);
    expect(run).toMatchObject({ status: 'success', ...LAUNCH, finishedAt: ENDED, latenessMs: 20 });
    expect(change).toMatchObject({ status: 'enabled', runCountBy: 1, lastError: null, lastRunId: 'a-1' });
  });
  test('and knows of no launch gives the round back all the same: that record may never come', () => {
    const { change } = applyEvent(CLAIMED, aRun(), { ...event, launch: null });
    expect(change).toEqual({ status: 'enabled', lastError: null });
  });
  test('and belongs to a launch of unknown fate is its finding too', () => {
    const unknown = applyEvent(CLAIMED, aRun(), UNKNOWN);
    const { run, change } = applyEvent(progressed(CLAIMED, unknown.change), unknown.run, event);
    expect(run).toMatchObject({ status: 'success', agentRunId: 'a-1', startedAt: ENDED });
    expect(change).toEqual({ lastRunId: 'a-1', lastError: null });
  });
});

test('a presumed end, corrected by the true one', () => {
  const task = aTask({ spec: once('2026-07-27T12:00:00Z'), status: 'running', nextRunAt: null, lastRunId: 'a-1' });
  const running = aRun().launched(LAUNCH);
  const lost = applyEvent(task, running, { type: 'ended', outcome: lostWithItsProcess(), at: ENDED, launch: null });
  const settled = aTask({ ...task.rule, ...changed(task.progress, lost.change) });
  expect(settled.status).toBe('cancelled');
  const actual = applyEvent(settled, lost.run, { type: 'ended', outcome: SUCCESS, at: ENDED, launch: LAUNCH });
  expect(actual.run).toMatchObject({ status: 'success', presumed: false });
  expect(actual.change).toEqual({ status: 'completed', lastError: null });
});

test.each<[string, RunEvent]>([
  ['launch', LAUNCHED],
  ['failed launch', FAILED],
  ['busy thread', BUSY],
])('an old owner that writes a %s after another one has started the run changes nothing', (_what, event) => {
  const first = applyEvent(CLAIMED, aRun(), LAUNCHED);
  const task = aTask({ ...CLAIMED.rule, ...changed(CLAIMED.progress, first.change) });
  expect(applyEvent(task, first.run, event)).toEqual({ run: first.run, change: NO_CHANGE });
  expect(task).toMatchObject({
    status: 'enabled',
    runCount: 1,
    lastRunAt: STARTED,
    nextRunAt: at('2026-07-28T09:00Z'),
  });
});
