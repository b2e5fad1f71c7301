// Domain. What people ask of a list of tasks or of a history: which part of it, and where in it.
import type { RunStatus } from './run-status';
import type { ScheduleType } from './schedule-spec';
import type { TaskStatus, Trigger } from './status';

/** What a list may be narrowed to; absent means any. */
export interface TaskFilter {
  readonly status?: TaskStatus;
  readonly scheduleType?: ScheduleType;
  readonly assistantId?: string;
  readonly threadId?: string;
  /** Found in title or prompt, without regard to case; every character means itself. */
  readonly text?: string;
}

/** A slice of a list ordered newest first. `after` is the cursor of the last item seen; it wins over `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Cursor;
}

/** A place in a list ordered by creation, newest first. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** What a history may be narrowed to; absent means any. */
export interface RunFilter {
  readonly taskId?: string;
  readonly status?: RunStatus;
  readonly trigger?: Trigger;
  /** Planned at or after this instant. */
  readonly since?: Date;
  /** Planned before this instant. */
  readonly until?: Date;
}
