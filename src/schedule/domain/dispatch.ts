// Domain: what a claim decides for one due task. Whether its run may start is decided inside the insert, by who holds the
// task's active slot; so both answers are prepared here, and losing the race reads like having seen the active run.
import { OCCURRENCES } from './occurrences';
import type { Occurrences } from './occurrences';
import type { RunReason } from './outcome';
import type { RunStatus } from './run-status';
import type { ScheduleSpec, ScheduleType } from './schedule-spec';
import { statusAfterCompletion, statusAfterSkip } from './status';
import type { TaskStatus } from './status';
import type { ProgressChange } from './task-progress';

/** Whose round it is, and until when. Live means `expiresAt >= now`. */
export interface Lease {
  readonly owner: string;
  readonly expiresAt: Date;
}

/** As much of a task as a claim needs. */
export interface DueTask {
  readonly spec: ScheduleSpec;
  readonly nextRunAt: Date;
  readonly misfireGraceSeconds: number | null;
}

/** Why an occurrence gets a tombstone instead of a run. */
export interface Skip {
  readonly reason: Extract<RunReason, 'overlap' | 'too_late' | 'thread_busy'>;
  readonly error: string;
}

export interface Claim {
  readonly scheduledFor: Date;
  /** `null`: too late, the row is born skipped whatever the slot says. */
  readonly ifQueued: ProgressChange | null;
  readonly ifSkipped: ProgressChange;
  /** What the tombstone says if there is one. */
  readonly skip: Skip;
}

/**
 * May a poller take this task now? Enabled, due, in nobody's hands; or left in the middle of a round by an owner whose
 * lease ran out. A launched once task is running without a lease and belongs to its run.
 */
export function mayBeClaimed(
  task: { readonly status: TaskStatus; readonly nextRunAt: Date | null; readonly deletedAt: Date | null },
  lease: Lease | null,
  now: Date,
): boolean {
  if (task.deletedAt !== null || task.nextRunAt === null || task.nextRunAt > now) return false;
  const live = lease !== null && lease.expiresAt >= now;
  if (task.status === 'enabled') return !live;
  return task.status === 'running' && lease !== null && !live;
}

/**
 * All occurrences that wait collapse into the first one, whose instant the run carries; the others are counted. The next
 * instant lies after now, so none of them is replayed.
 *
 * With a misfire grace only those that are too late collapse, into a tombstone; the next instant is then the first that
 * is not too late. It may be due already, and runs in the next round: a machine that slept over the weekend must not
 * lose Monday's run, 10 minutes late, because Saturday's was the first to wait.
 */
export function claim(task: DueTask, now: Date, ask: Occurrences = OCCURRENCES): Claim {
  const { spec, nextRunAt: scheduledFor, misfireGraceSeconds: grace } = task;
  const lateness = now.getTime() - scheduledFor.getTime();
  const tooLate = grace !== null && lateness > grace * 1_000;
  const collapseUntil = tooLate ? new Date(now.getTime() - grace * 1_000 - 1) : now;
  const after = collapseUntil > scheduledFor ? collapseUntil : scheduledFor;

  const nextRunAt = ask.next(spec, after);
  const missedBy = ask.between(spec, scheduledFor, after);
  const skip = tooLate ? tooLateBy(lateness, grace) : OVERLAP;
  return {
    scheduledFor,
    ifQueued: tooLate ? null : { status: 'running', nextRunAt, missedBy },
    ifSkipped: { nextRunAt, missedBy, ...afterSkip(spec.type, skip) },
    skip,
  };
}

/** The occurrence has its run already: the task moves on, and a once task is where that run has brought it. */
export function afterAdoption(type: ScheduleType, { ifSkipped }: Claim, existing: RunStatus): ProgressChange {
  const { nextRunAt = null, missedBy = 0 } = ifSkipped;
  return { nextRunAt, missedBy, status: statusUnder(type, existing) };
}

function statusUnder(type: ScheduleType, run: RunStatus): TaskStatus {
  if (type === 'cron') return 'enabled';
  else if (run === 'skipped') return 'failed';
  else if (run === 'success' || run === 'failed' || run === 'interrupted') {
    return statusAfterCompletion('once', run) ?? 'failed';
  } else return 'running';
}

/** A skip is the error of a once task, whose one chance it was; a cron task keeps showing its last real error. */
export function afterSkip(type: ScheduleType, skip: Skip): ProgressChange {
  const status = statusAfterSkip(type);
  return type === 'once' ? { status, lastError: skip.error } : { status };
}

export const OVERLAP: Skip = Object.freeze({
  reason: 'overlap',
  error: 'Skipped: the task still had an active run when this occurrence came due.',
});

export const THREAD_BUSY: Skip = Object.freeze({
  reason: 'thread_busy',
  error: 'Skipped: the thread was busy with another run when this occurrence came due.',
});

function tooLateBy(latenessMs: number, graceSeconds: number): Skip {
  const late = Math.floor(latenessMs / 1_000);
  return {
    reason: 'too_late',
    error: `Skipped: its turn came ${late} s after the planned moment, later than the ${graceSeconds} s allowed.`,
  };
}
