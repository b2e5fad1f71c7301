// Domain value: how far a task has come (table scheduled_task_states), apart from the rule its owner wrote (task-rule.ts).
import type { TaskStatus } from './status';

export interface TaskProgress {
  readonly status: TaskStatus;
  /** The instant the next occurrence is planned for. `null` on an enabled task is an alarm, never normal. */
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  /** The agent run of the newest launch; `null` when it failed or nobody knows yet whether one exists. */
  readonly lastRunId: string | null;
  readonly lastThreadId: string | null;
  readonly lastError: string | null;
  readonly runCount: number;
  /** Occurrences that came due and left no row: collapsed into another one, or moved away by an edit. */
  readonly missedOccurrences: number;
  /** The stored version this was read at. Storage alone raises it, with every write. */
  readonly version: number;
}

/**
 * What one event changes, column by column. A column that is absent is left as it is **in storage**, which may have
 * moved on since the reading: that is how a claim, a launch record and a completion keep off each other's columns.
 * Counters come as amounts to add, for the same reason.
 */
export interface ProgressChange {
  readonly status?: TaskStatus;
  readonly nextRunAt?: Date | null;
  readonly lastRunAt?: Date | null;
  readonly lastRunId?: string | null;
  readonly lastThreadId?: string | null;
  readonly lastError?: string | null;
  readonly runCountBy?: number;
  readonly missedBy?: number;
}

/** Nothing to write. */
export const NO_CHANGE: ProgressChange = Object.freeze({});

export function isChange(change: ProgressChange): boolean {
  return Object.keys(change).length > 0;
}

/** Two changes one after the other: later columns win, amounts add up. */
export function mergedChange(first: ProgressChange, second: ProgressChange): ProgressChange {
  const runCountBy = (first.runCountBy ?? 0) + (second.runCountBy ?? 0);
  const missedBy = (first.missedBy ?? 0) + (second.missedBy ?? 0);
  return {
    ...first,
    ...second,
    ...(runCountBy > 0 ? { runCountBy } : {}),
    ...(missedBy > 0 ? { missedBy } : {}),
  };
}

/** The change as storage applies it (in memory; `sql-task-repository.ts` says the same in SQL). Version excepted. */
export function changed(before: TaskProgress, change: ProgressChange): TaskProgress {
  const { runCountBy = 0, missedBy = 0, ...columns } = change;
  return {
    ...before,
    ...columns,
    runCount: before.runCount + runCountBy,
    missedOccurrences: before.missedOccurrences + missedBy,
  };
}
