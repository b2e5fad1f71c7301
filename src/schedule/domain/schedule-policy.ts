// Domain value: the limits the operator sets for schedules. Read from the configuration in schedule.module.ts only.
import { token } from '../../kernel/token';

export interface SchedulePolicy {
  /** How far ahead a moment must lie when it is submitted. Asked of people's submissions, never of a next run. */
  readonly minOnceDelaySeconds: number;
  /** The budget: the most runs queued or running at once, over all processes. */
  readonly maxConcurrentRuns: number;
  /** How long a claim holds a task before another poller may take it over. */
  readonly leaseSeconds: number;
  /** How long a launch of unknown fate keeps its place before it is given up as `launch_unknown`. */
  readonly launchUnknownDeadlineSeconds: number;
  /** The longest pause between two looks for due tasks. */
  readonly pollIntervalSeconds: number;
  /** How long before its instant a task may be claimed, so that at the instant only the start is left to do. */
  readonly lookAheadMs: number;
  /** How long a run of a task that queues waits for its turn, where the task says nothing itself. */
  readonly queueTimeoutSeconds: number;
}

/** Longer than any pause between two looks that can be set, and any look-ahead. */
const ALL_LOOK_WITHIN_MS = 3_700_000;

/** Whether pollers are told of a new task. What lies further away they find by themselves before its time. */
export function isNews(nextRunAt: Date | null, now: Date): boolean {
  return nextRunAt !== null && nextRunAt.getTime() - now.getTime() <= ALL_LOOK_WITHIN_MS;
}

export const SchedulePolicy = token<SchedulePolicy>('SchedulePolicy');
