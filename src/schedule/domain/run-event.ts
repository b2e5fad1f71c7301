// Domain: what may happen to a run after its claim, and what each event makes of run and task. The one switch over events;
// the rules behind it are in run.ts (the run's own row) and record.ts (its task's columns).
import { THREAD_BUSY } from './dispatch';
import type { Outcome } from './outcome';
import { afterBusy, afterFailure, afterFinding, afterLaunch, afterOutcome } from './record';
import type { RecordedTask } from './record';
import type { Launch, ScheduledRun } from './run';
import { isChange, NO_CHANGE } from './task-progress';
import type { ProgressChange } from './task-progress';

export type RunEvent =
  /** Started, or of unknown fate (then without an agent run id). */
  | { readonly type: 'launched'; readonly launch: Launch }
  | { readonly type: 'launch-failed'; readonly error: string; readonly at: Date }
  | { readonly type: 'thread-busy'; readonly at: Date }
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

/** `run` and `task` as they are stored now, under lock. The very same run comes back when the event came too late. */
export function applyEvent(task: RecordedTask, run: ScheduledRun, event: RunEvent): Recorded {
  switch (event.type) {
    case 'launched':
      return { run: run.launched(event.launch), change: afterLaunch(task, run, event.launch) };
    case 'launch-failed':
      return {
        run: run.failedToLaunch('launch_failed', event.error, event.at),
        change: afterFailure(task, run, event),
      };
    case 'thread-busy':
      return {
        run:
          run.trigger === 'manual'
            ? run.failedToLaunch('thread_busy', MANUAL_THREAD_BUSY, event.at)
            : run.skippedAfterClaim(THREAD_BUSY, event.at),
        change: afterBusy(task, run),
      };
    case 'found':
      return { run: run.found(event.agentRunId), change: afterFinding(task, run, event.agentRunId) };
    case 'ended':
      return event.launch !== null && run.status === 'queued'
        ? launchedAndEnded(task, run, event.launch, event)
        : endedOnly(task, run, event);
  }
}

type Ended = Extract<RunEvent, { type: 'ended' }>;

/** The end of a launch of unknown fate is also its finding. */
function endedOnly(task: RecordedTask, run: ScheduledRun, event: Ended): Recorded {
  const known = event.launch === null ? run : run.knownStart(event.launch);
  const found = known.agentRunId === run.agentRunId ? NO_CHANGE : afterFinding(task, run, known.agentRunId);
  const change = afterOutcome(task, known, event.outcome);
  return { run: known.ended(event.outcome, event.at), change: isChange(found) ? { ...found, ...change } : change };
}

/**
 * The agent was done before its launch was written down. The end writes the launch too: should its owner have died in
 * between, nobody else would, and a cron task would stay running, closed to edits, until its next occurrence. A launch
 * record that arrives after all finds itself written (`afterLaunch`) and adds nothing.
 */
function launchedAndEnded(task: RecordedTask, run: ScheduledRun, launch: Launch, event: Ended): Recorded {
  const change = afterLaunch(task, run, launch);
  const { status = task.status, lastRunAt = task.lastRunAt, lastRunId = task.lastRunId } = change;
  const { scheduleType, deletedAt } = task;
  const then = endedOnly({ scheduleType, deletedAt, status, lastRunAt, lastRunId }, run.launched(launch), event);
  return { run: then.run, change: { ...change, ...then.change } };
}

const MANUAL_THREAD_BUSY = 'Not started: the thread was busy with another run when this run was asked for.';
