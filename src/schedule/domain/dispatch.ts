// Domain: what a claim decides for one due task. Whether its run may start is decided inside the insert, by who holds the
// task's active slot; so both answers are prepared here, and losing the race reads like having seen the active run.
import { OCCURRENCES } from './occurrences';
import type { Occurrences } from './occurrences';
import type { RunReason } from './outcome';
import type { RunStatus } from './run-status';
import type { ScheduleSpec, ScheduleType } from './schedule-spec';
import { statusAfterCompletion, statusAfterSkip } from './status';
import type { TaskStatus } from './status';
import type { OverlapPolicy } from './task-rule';
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
  readonly overlapPolicy?: OverlapPolicy;
  /** False: this occurrence is its only one. */
  readonly recurring?: boolean;
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
  /** `null`: its task does not queue. */
  readonly ifWaiting: ProgressChange | null;
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
  const { spec, nextRunAt: scheduledFor, misfireGraceSeconds: grace, recurring = true } = task;
  const lateness = now.getTime() - scheduledFor.getTime();
  const tooLate = grace !== null && lateness > grace * 1_000;
  const collapseUntil = tooLate ? new Date(now.getTime() - grace * 1_000 - 1) : now;
  const after = collapseUntil > scheduledFor ? collapseUntil : scheduledFor;

  const nextRunAt = recurring ? ask.next(spec, after) : null;
  const missedBy = recurring ? ask.between(spec, scheduledFor, after) : 0;
  const queues = task.overlapPolicy === 'queue';
  const skip = tooLate ? tooLateBy(lateness, grace) : queues ? FOLDED : OVERLAP;
  const kind = kindOf(spec.type, recurring);
  return {
    scheduledFor,
    ifQueued: tooLate ? null : { status: 'running', nextRunAt, missedBy },
    ifWaiting: tooLate || !queues ? null : { nextRunAt, missedBy, status: statusWhileWaiting(kind) },
    ifSkipped: { nextRunAt, missedBy, ...(skip === FOLDED ? folded(kind) : afterSkip(kind, skip)) },
    skip,
  };
}

/** A task with one occurrence goes the way of a once task, whatever its schedule is written in. */
export function kindOf(type: ScheduleType, recurring: boolean): ScheduleType {
  return recurring ? type : 'once';
}

/** The round is over: a cron task goes on with its next instant, a once task belongs to the run that waits. */
export function statusWhileWaiting(kind: ScheduleType): TaskStatus {
  return kind === 'once' ? 'running' : 'enabled';
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

/** The run that waits already stands for this one: nothing is lost, and a once task belongs to that run. */
function folded(kind: ScheduleType): ProgressChange {
  return { status: statusWhileWaiting(kind) };
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

/** Of a task that queues one run waits at most; what comes due meanwhile is delivered with it. */
export const FOLDED: Skip = Object.freeze({
  reason: 'overlap',
  error: 'Skipped: an earlier run of the task was still waiting for its turn.',
});

function tooLateBy(latenessMs: number, graceSeconds: number): Skip {
  const late = Math.floor(latenessMs / 1_000);
  return {
    reason: 'too_late',
    error: `Skipped: its turn came ${late} s after the planned moment, later than the ${graceSeconds} s allowed.`,
  };
}
