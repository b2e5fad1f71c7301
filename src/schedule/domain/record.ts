// Domain: what launches, failures and ends change of their task. Pure: storage reads task and run under their locks, asks
// here, and writes the columns it is told, no others. The run's own row: run.ts.
//
// Who owns which column. A launch: next_run_at (of a once task run by hand), last_run_*, run_count, the way from running
// back to enabled. An end: the status of a once task, and last_error. They may arrive in either order and must come to the
// same result; "ended" below is the launch that arrives second.
import { afterSkip, statusWhileWaiting, THREAD_BUSY } from './dispatch';
import type { Outcome } from './outcome';
import type { Launch, ScheduledRun } from './run';
import { hasEnded } from './run-status';
import type { ScheduleType } from './schedule-spec';
import { isTerminal, statusAfterCompletion, statusAfterFailure, statusAfterLaunch } from './status';
import type { TaskStatus, TerminalStatus } from './status';
import { NO_CHANGE } from './task-progress';
import type { ProgressChange } from './task-progress';
import type { OverlapPolicy } from './task-rule';
import { keptError } from './text-rule';

/** As much of a task as a record needs; its schedule need not be readable. */
export interface RecordedTask {
  /** `once` also for a task that is to fire once on a cron schedule. */
  readonly scheduleType: ScheduleType;
  readonly status: TaskStatus;
  readonly lastRunAt: Date | null;
  readonly lastRunId: string | null;
  readonly deletedAt: Date | null;
  readonly overlapPolicy?: OverlapPolicy;
  /** Another run of the task waits for its turn. */
  readonly hasWaiting?: boolean;
}

/** The run as stored *before* this event is written to it. */
export type RecordedRun = Pick<ScheduledRun, 'threadId' | 'trigger' | 'status' | 'presumed' | 'agentRunId'>;

/**
 * A launch that happened, or of which nobody knows whether it did (no agent run id): both used up the occurrence. A
 * deleted task is left alone; its run goes on by itself.
 */
export function afterLaunch(task: RecordedTask, run: RecordedRun, launch: Launch): ProgressChange {
  if (task.deletedAt !== null) return NO_CHANGE;
  // Written before, by whoever took the launch over or was taken for dead: counted once.
  if (run.status === 'running') return secondRecord(task, run, launch);
  const agentRunId = launch.agentRunId ?? run.agentRunId;
  if (agentRunId !== null && task.lastRunId === agentRunId) return NO_CHANGE;
  // A newer launch was written first: this one only counts.
  if (task.lastRunAt !== null && task.lastRunAt > launch.startedAt) return { runCountBy: 1 };

  const facts: ProgressChange = {
    lastRunAt: launch.startedAt,
    lastRunId: agentRunId,
    lastThreadId: run.threadId,
    runCountBy: 1,
  };
  const once = task.scheduleType === 'once';
  if (hasEnded(run.status)) {
    // last_error is the end's already. Cron: only this record leads back from running.
    if (!once) return { ...facts, status: cronAfterLaunch(run, task.status) };
    // Terminal: by this run's end, or, for a run by hand, by an earlier run that this one supersedes. Otherwise the
    // owner has given the task a new moment since, and that is not this run's to take.
    return isTerminal(task.status) ? { ...facts, nextRunAt: null, status: endOfOnce(run) } : facts;
  }
  // Settled meanwhile as lost: a late planned launch does not bring a finished task back. A run by hand does.
  if (isTerminal(task.status) && run.trigger === 'scheduled') return facts;
  const status = once ? statusAfterLaunch('once', run.trigger, task.status) : cronAfterLaunch(run, task.status);
  return { ...facts, status, lastError: null, ...(once ? { nextRunAt: null } : {}) };
}

/** A planned launch that finds its task paused is late: its lease had run out, and its owner has paused the task since. */
function cronAfterLaunch(run: RecordedRun, before: TaskStatus): TaskStatus {
  return before === 'paused' ? before : statusAfterLaunch('cron', run.trigger, before);
}

/**
 * A run that ends while its launch is not yet written down gives its task's round back itself: that record may never
 * come. As long as a run is active, the round its task is in can be nobody else's.
 */
export function afterRound(task: RecordedTask, run: RecordedRun): ProgressChange {
  const itsRound = run.status === 'queued' && task.status === 'running';
  return itsRound && task.scheduleType === 'cron' && task.deletedAt === null ? { status: 'enabled' } : NO_CHANGE;
}

/**
 * Certainly no agent run exists: judged so only of a queued run, since one that another owner has started meanwhile was
 * not failed by this record. A once task tried by hand stays exactly as it was: its planned run is still to come.
 */
export function afterFailure(
  task: RecordedTask,
  run: RecordedRun,
  failure: { readonly error: string; readonly at: Date },
): ProgressChange {
  if (task.deletedAt !== null || run.status !== 'queued') return NO_CHANGE;
  if (run.trigger === 'manual' && task.scheduleType === 'once') return NO_CHANGE;
  return {
    lastRunAt: failure.at,
    lastRunId: null,
    lastThreadId: run.threadId,
    lastError: keptError(failure.error),
    ...(run.trigger === 'manual' || isTerminal(task.status)
      ? {}
      : { status: statusAfterFailure(task.scheduleType, run.trigger, task.status) }),
  };
}

/** The thread was busy. Planned: a skip like any other. By hand: the caller is told (409), the task is not touched. */
export function afterBusy(task: RecordedTask, run: RecordedRun): ProgressChange {
  if (task.deletedAt !== null || run.status !== 'queued') return NO_CHANGE;
  if (run.trigger === 'manual' || isTerminal(task.status)) return NO_CHANGE;
  return afterSkip(task.scheduleType, THREAD_BUSY);
}

/** The thread was busy and the run waits: the round is over. A once task belongs to it, as to one that works. */
export function afterQueueing(task: RecordedTask): ProgressChange {
  if (task.deletedAt !== null || task.status !== 'running') return NO_CHANGE;
  return { status: statusWhileWaiting(task.scheduleType) };
}

/** The run that waits already stands for this one: nobody has lost anything. */
export function afterFolding(task: RecordedTask, run: RecordedRun): ProgressChange {
  return run.trigger === 'manual' ? NO_CHANGE : afterQueueing(task);
}

/** It waited in vain: the error of its task, and the end of a once task. */
export function afterWaiting(task: RecordedTask, run: RecordedRun, error: string): ProgressChange {
  if (task.deletedAt !== null || run.status !== 'waiting' || isTerminal(task.status)) return NO_CHANGE;
  const lastError = keptError(error);
  const ends = task.scheduleType === 'once' && task.status === 'running';
  return ends ? { status: 'failed', lastError } : { lastError };
}

/** The agent run of an unknown launch was found. */
export function afterFinding(task: RecordedTask, run: RecordedRun, agentRunId: string | null): ProgressChange {
  return task.deletedAt === null && ownsLastRun(task, run) ? { lastRunId: agentRunId } : NO_CHANGE;
}

/**
 * The run has ended. Only `status` and `last_error` are ever written, and no terminal state is overwritten, except the one
 * that a presumed end left and its true end now corrects.
 */
export function afterOutcome(task: RecordedTask, run: RecordedRun, outcome: Outcome): ProgressChange {
  if (task.deletedAt !== null) return NO_CHANGE;
  const status = statusAfterCompletion(task.scheduleType, outcome.status);
  const lastError = outcome.error;
  if (hasEnded(run.status)) {
    if (!run.presumed || outcome.presumed || !ownsLastRun(task, run)) return NO_CHANGE;
    return status !== null && task.status === endOfOnce(run) ? { status, lastError } : { lastError };
  }
  return status === null || isTerminal(task.status) ? { lastError } : { status, lastError };
}

/** It may know the agent run that the first record did not. */
function secondRecord(task: RecordedTask, run: RecordedRun, launch: Launch): ProgressChange {
  if (run.agentRunId !== null || launch.agentRunId === null) return NO_CHANGE;
  return afterFinding(task, run, launch.agentRunId);
}

/** No newer launch has been recorded since: the newest run's writer owns last_error. */
function ownsLastRun(task: RecordedTask, run: RecordedRun): boolean {
  return task.lastRunId === run.agentRunId;
}

/** The status that this ended run gives a once task. */
function endOfOnce(run: RecordedRun): TerminalStatus {
  const { status } = run;
  return status === 'success' ? 'completed' : status === 'interrupted' ? 'cancelled' : 'failed';
}
