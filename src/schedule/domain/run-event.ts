// Domain: what may happen to a run after its claim, and what each event makes of run and task. The one switch over events;
// the rules behind it are in run.ts (the run's own row) and record.ts (its task's columns).
import { FOLDED, THREAD_BUSY } from './dispatch';
import type { Outcome } from './outcome';
import {
  afterBusy,
  afterFailure,
  afterFinding,
  afterFolding,
  afterLaunch,
  afterOutcome,
  afterQueueing,
  afterRound,
  afterWaiting,
} from './record';
import type { RecordedTask } from './record';
import type { Launch, ScheduledRun } from './run';
import { hasEnded } from './run-status';
import { mergedChange, NO_CHANGE } from './task-progress';
import type { ProgressChange } from './task-progress';

export type RunEvent =
  /** Started, or of unknown fate (then without an agent run id). */
  | { readonly type: 'launched'; readonly launch: Launch }
  | { readonly type: 'launch-failed'; readonly error: string; readonly at: Date }
  | { readonly type: 'thread-busy'; readonly at: Date }
  /** A run that waited is given up. */
  | {
      readonly type: 'wait-ended';
      readonly reason: 'queue_timeout' | 'corrupt';
      readonly error: string;
      readonly at: Date;
    }
  /** The agent run of an unknown launch was found. */
  | { readonly type: 'found'; readonly agentRunId: string }
  | {
      readonly type: 'ended';
      readonly outcome: Outcome;
      readonly at: Date;
      /** What the agent run knows of its start: fills in for a launch that was never recorded. */
      readonly launch: Launch | null;
    };

export interface Recorded {
  readonly run: ScheduledRun;
  readonly change: ProgressChange;
}

/**
 * `run` and `task` as they are stored now, under lock. The very same run comes back when the event came too late or a
 * second time, and then the task is left alone as well.
 */
export function applyEvent(task: RecordedTask, run: ScheduledRun, event: RunEvent): Recorded {
  const recorded = judge(task, run, event);
  return recorded.run === run ? { run, change: NO_CHANGE } : recorded;
}

function judge(task: RecordedTask, run: ScheduledRun, event: RunEvent): Recorded {
  switch (event.type) {
    case 'launched':
      return recordLaunch(task, run, event.launch);
    case 'launch-failed':
      return {
        run: run.failedToLaunch('launch_failed', event.error, event.at),
        change: afterFailure(task, run, event),
      };
    case 'thread-busy':
      if (task.overlapPolicy === 'queue' && run.status === 'queued') return recordQueueing(task, run, event.at);
      return {
        run:
          run.trigger === 'manual'
            ? run.failedToLaunch('thread_busy', MANUAL_THREAD_BUSY, event.at)
            : run.skippedAfterClaim(THREAD_BUSY, event.at),
        change: afterBusy(task, run),
      };
    case 'wait-ended':
      return {
        run: run.gaveUpWaiting(event.reason, event.error, event.at),
        change: afterWaiting(task, run, event.error),
      };
    case 'found':
      return { run: run.found(event.agentRunId), change: afterFinding(task, run, event.agentRunId) };
    case 'ended':
      return recordEnd(task, run, event);
  }
}

/** Into the queue, unless a run of the task waits there already: that one stands for both. */
function recordQueueing(task: RecordedTask, run: ScheduledRun, at: Date): Recorded {
  if (task.hasWaiting === true) return { run: run.skippedAfterClaim(FOLDED, at), change: afterFolding(task, run) };
  return { run: run.sentToWait(), change: afterQueueing(task) };
}

/** Counted once, when the run learns its start; a repetition can only add an agent run that nobody knew of. */
function recordLaunch(task: RecordedTask, before: ScheduledRun, launch: Launch): Recorded {
  const run = before.launched(launch);
  if (before.startedAt === null) return { run, change: afterLaunch(task, before, launch) };
  return { run, change: launch.agentRunId === null ? NO_CHANGE : afterFinding(task, before, launch.agentRunId) };
}

/**
 * An end that knows of a start nobody has recorded is two events, in the order in which they happened: the launch's own
 * record may never come (its process has died), and its task would stay in the middle of a round.
 */
function recordEnd(task: RecordedTask, before: ScheduledRun, event: RunEvent & { type: 'ended' }): Recorded {
  const { launch, outcome, at } = event;
  if (hasEnded(before.status) && !before.mayBeCorrectedBy(outcome)) return { run: before, change: NO_CHANGE };
  if (launch === null && before.status === 'queued' && outcome.reason === 'agent_failed') {
    // It failed without ever having started: a launch that failed, and whose process died before it could say so.
    return applyEvent(task, before, { type: 'launch-failed', error: outcome.error ?? '', at });
  }
  const start =
    launch === null ? { run: before, change: NO_CHANGE } : applyEvent(task, before, { type: 'launched', launch });
  const { scheduleType, status, lastRunAt, lastRunId, deletedAt } = task;
  const started = { scheduleType, status, lastRunAt, lastRunId, deletedAt, ...columnsOf(start.change) };
  const end = { run: start.run.ended(outcome, at), change: afterOutcome(started, start.run, outcome) };
  const round = afterRound(started, start.run);
  return { run: end.run, change: mergedChange(mergedChange(start.change, round), end.change) };
}

/** What a change makes of the columns that the next event of the same run is judged by. */
export function columnsOf(change: ProgressChange): Partial<RecordedTask> {
  const { status, lastRunAt, lastRunId } = change;
  return {
    ...(status === undefined ? {} : { status }),
    ...(lastRunAt === undefined ? {} : { lastRunAt }),
    ...(lastRunId === undefined ? {} : { lastRunId }),
  };
}

const MANUAL_THREAD_BUSY = 'Not started: the thread was busy with another run when this run was asked for.';
