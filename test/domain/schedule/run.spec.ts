import { OVERLAP, THREAD_BUSY } from '../../../src/schedule/domain/dispatch';
import { lostWithItsProcess, outcomeOf } from '../../../src/schedule/domain/outcome';
import type { Outcome } from '../../../src/schedule/domain/outcome';
import { ScheduledRun } from '../../../src/schedule/domain/run';
import {
  ACTIVE_STATUSES,
  ENDED_STATUSES,
  hasEnded,
  holdsPlace,
  mayBecome,
  RUN_STATUSES,
  statesBefore,
} from '../../../src/schedule/domain/run-status';
import type { RunStatus } from '../../../src/schedule/domain/run-status';
import { title } from '../../support/schedule-cases';
import { aRun, at, NOON, OWNER } from '../../support/schedule-builders';

const STARTED = at('2026-07-27T12:00:00.020Z');
const ENDED = at('2026-07-27T12:05:00Z');
const LAUNCH = { agentRunId: 'a-1', startedAt: STARTED };
const UNKNOWN = { agentRunId: null, startedAt: STARTED };
const SUCCESS = outcomeOf('success', null) as Outcome;
const FAILURE = outcomeOf('error', 'boom') as Outcome;
const FRESH = {
  id: 'task-run-1',
  taskId: 'task-1',
  owner: OWNER,
  threadId: 'thread-1',
  scheduledFor: NOON,
  trigger: 'scheduled',
  instanceId: 'instance-1',
  createdAt: STARTED,
} as const;

describe('the states of a run', () => {
  //         to: waiting queued running success failed interrupted skipped
  const table: Record<RunStatus, string> = {
    waiting: '       -       x       -       -      x      x           -',
    queued: '        x       -       x       x      x      x           x',
    running: '       -       -       -       x      x      x           -',
    success: '       -       -       -       -      -      -           -',
    failed: '        -       -       -       -      -      -           -',
    interrupted: '   -       -       -       -      -      -           -',
    skipped: '       -       -       -       -      -      -           -',
  };
  const cells = RUN_STATUSES.flatMap((from) =>
    table[from]
      .trim()
      .split(/\s+/)
      .map((cell, column): [RunStatus, RunStatus, boolean] => [from, RUN_STATUSES[column] as RunStatus, cell === 'x']),
  );
  test('has a cell for every pair', () => expect(cells).toHaveLength(RUN_STATUSES.length ** 2));
  test.each(cells)('from %s to %s: %s', (from, to, may) => expect(mayBecome(from, to)).toBe(may));
  test.each(RUN_STATUSES)('a write of %s finds exactly the states that may become it', (to) => {
    expect(statesBefore(to)).toEqual(RUN_STATUSES.filter((from) => mayBecome(from, to)));
  });
  test('every state waits, holds the active slot or has ended, and never two of them', () => {
    expect(['waiting', ...ACTIVE_STATUSES, ...ENDED_STATUSES].sort()).toEqual([...RUN_STATUSES].sort());
    for (const status of RUN_STATUSES) {
      expect(hasEnded(status)).toBe((ENDED_STATUSES as readonly RunStatus[]).includes(status));
    }
  });
  test('only what is queued or running takes a place of the budget', () => {
    expect(RUN_STATUSES.filter(holdsPlace)).toEqual(['queued', 'running']);
  });
});

describe('a new run', () => {
  test('is queued, belongs to its instance, and has not started', () => {
    expect({ ...ScheduledRun.queued(FRESH) }).toEqual({
      ...FRESH,
      agentRunId: null,
      lateReason: null,
      status: 'queued',
      reason: null,
      error: null,
      presumed: false,
      startedAt: null,
      finishedAt: null,
    });
  });
  test(title('overlap-02'), () => {
    const tombstone = ScheduledRun.skipped(FRESH, OVERLAP);
    expect(tombstone).toMatchObject({
      status: 'skipped',
      reason: 'overlap',
      error: OVERLAP.error,
      finishedAt: STARTED,
    });
    expect(ACTIVE_STATUSES).not.toContain(tombstone.status);
    expect(holdsPlace(tombstone.status)).toBe(false);
    expect(tombstone.latenessMs).toBeNull();
  });
  test('a loser of the race leaves what one that saw the active run leaves', () => {
    const seen = ScheduledRun.skipped(FRESH, OVERLAP);
    const lost = ScheduledRun.skipped({ ...FRESH, id: 'task-run-2' }, OVERLAP);
    expect({ ...lost, id: seen.id }).toEqual({ ...seen });
  });
});

describe('a launch', () => {
  test('makes the run running, on the thread of the claim', () => {
    expect({ ...aRun().launched(LAUNCH) }).toEqual({ ...aRun(), ...LAUNCH, status: 'running' });
  });
  test(title('launch-07'), () => {
    const reply = { ...LAUNCH, threadId: 'another-thread' };
    const { agentRunId, startedAt } = reply;
    const run = aRun().launched({ agentRunId, startedAt });
    expect(run.threadId).toBe('thread-1');
    expect(holdsPlace(run.status)).toBe(true);
  });
  test(title('trigger-05'), () => {
    const run = aRun({ trigger: 'manual' }).launched(UNKNOWN);
    expect(run).toMatchObject({ status: 'running', agentRunId: null, error: null });
    expect(holdsPlace(run.status)).toBe(true);
  });
  test('of unknown fate learns its agent run once', () => {
    const found = aRun().launched(UNKNOWN).found('a-1');
    expect(found).toMatchObject({ status: 'running', agentRunId: 'a-1', startedAt: STARTED });
    expect(found.found('a-2')).toBe(found);
    expect(aRun().launched(UNKNOWN).launched(LAUNCH).agentRunId).toBe('a-1');
  });
  test(title('protect-01'), () => {
    const ended = aRun().ended(FAILURE, ENDED);
    const late = ended.launched(LAUNCH);
    expect({ ...late }).toEqual({ ...ended, ...LAUNCH });
    expect(late).toMatchObject({ status: 'failed', error: 'boom', finishedAt: ENDED });
    expect(late.launched({ agentRunId: 'a-2', startedAt: ENDED })).toBe(late);
  });
  test('changes nothing of a tombstone, a waiting run or a running one', () => {
    const others = [ScheduledRun.skipped(FRESH, OVERLAP), aRun({ status: 'waiting' }), aRun().launched(LAUNCH)];
    for (const run of others) expect(run.launched({ agentRunId: 'a-2', startedAt: ENDED })).toBe(run);
  });
  test('that certainly failed frees slot and place', () => {
    const run = aRun().failedToLaunch('launch_failed', 'no such program\0', ENDED);
    expect(run).toMatchObject({
      status: 'failed',
      reason: 'launch_failed',
      error: 'no such program\u{fffd}',
      startedAt: null,
      finishedAt: ENDED,
    });
  });
  test('that has happened is never called failed', () => {
    for (const run of [aRun().launched(LAUNCH), aRun().ended(SUCCESS, ENDED)]) {
      expect(run.failedToLaunch('launch_failed', 'x', ENDED)).toBe(run);
    }
  });
  test('onto a busy thread makes a planned run a skip', () => {
    const run = aRun().skippedAfterClaim(THREAD_BUSY, ENDED);
    expect(run).toMatchObject({
      status: 'skipped',
      reason: 'thread_busy',
      error: THREAD_BUSY.error,
      finishedAt: ENDED,
    });
    const running = aRun().launched(LAUNCH);
    expect(running.skippedAfterClaim(THREAD_BUSY, ENDED)).toBe(running);
  });
  test(title('busy-03'), () => {
    const run = aRun({ trigger: 'manual' }).failedToLaunch('thread_busy', 'Thread t-1 is busy.', ENDED);
    expect(run).toMatchObject({ status: 'failed', reason: 'thread_busy', error: 'Thread t-1 is busy.' });
  });
});

describe('the end of a run', () => {
  test.each([
    ['running', aRun().launched(LAUNCH)],
    ['queued: the agent was done before the launch was written down', aRun()],
  ])('is written on a run that is %s', (_what, run) => {
    expect({ ...run.ended(FAILURE, ENDED) }).toEqual({
      ...run,
      status: 'failed',
      reason: 'agent_failed',
      error: 'boom',
      presumed: false,
      finishedAt: ENDED,
    });
  });
  test(title('callback-05'), () => {
    const ended = aRun().launched(LAUNCH).ended(SUCCESS, ENDED);
    expect(ended.ended(SUCCESS, at('2026-07-27T13:00:00Z'))).toBe(ended);
    expect(ended.ended(FAILURE, at('2026-07-27T13:00:00Z'))).toBe(ended);
  });
  test(title('startup-01'), () => {
    for (const run of [aRun(), aRun().launched(LAUNCH)]) {
      const settled = run.ended(lostWithItsProcess(), ENDED);
      expect(settled).toMatchObject({
        status: 'interrupted',
        reason: 'process_lost',
        presumed: true,
        finishedAt: ENDED,
      });
      expect(settled.error).toMatch(/restarted/);
    }
  });
  test(title('startup-05'), () => {
    for (const status of ENDED_STATUSES) {
      const run = aRun({ status, finishedAt: NOON });
      expect(run.ended(lostWithItsProcess(), ENDED)).toBe(run);
    }
  });
  test('that was presumed is corrected by the true one, once', () => {
    const presumed = aRun().launched(LAUNCH).ended(lostWithItsProcess(), ENDED);
    expect(presumed.mayBeCorrectedBy(SUCCESS)).toBe(true);
    const corrected = presumed.ended(SUCCESS, at('2026-07-27T12:06:00Z'));
    expect(corrected).toMatchObject({ status: 'success', reason: null, error: null, presumed: false });
    expect(corrected.ended(FAILURE, ENDED)).toBe(corrected);
    expect(corrected.ended(lostWithItsProcess(), ENDED)).toBe(corrected);
  });
  test('that was presumed is not replaced by another presumption', () => {
    const presumed = aRun().launched(LAUNCH).ended(lostWithItsProcess(), ENDED);
    expect(presumed.ended(lostWithItsProcess(), at('2026-07-27T13:00:00Z'))).toBe(presumed);
  });
  test(title('pause-11'), () => {
    for (const [reason, word] of [
      ['task_paused', 'paused'],
      ['task_deleted', 'deleted'],
    ] as const) {
      const withdrawn = aRun({ status: 'waiting' }).withdrawn(reason, ENDED);
      expect(withdrawn).toMatchObject({ status: 'interrupted', reason, finishedAt: ENDED });
      expect(withdrawn.error).toContain(word);
    }
    for (const run of [aRun(), aRun().launched(LAUNCH)]) expect(run.withdrawn('task_deleted', ENDED)).toBe(run);
  });
});

test('lateness is the time from the planned instant to the start', () => {
  expect(aRun().latenessMs).toBeNull();
  expect(aRun().launched(LAUNCH).latenessMs).toBe(20);
});
