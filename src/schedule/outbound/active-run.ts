// Outbound. When a task has an active run, or one that waits, and when a run holds a place of the budget, in the words of SQL.
import { ACTIVE_STATUSES } from '../domain/run-status';

const listed = (statuses: readonly string[]): string => statuses.map((status) => `'${status}'`).join(', ');

/** Literals, not a parameter: the partial index of active runs is used only where its own condition is spelled out. */
export const hasActiveRun = (taskId: string): string => `exists (
  select from scheduled_task_runs a where a.task_id = ${taskId} and a.status in (${listed(ACTIVE_STATUSES)}))`;

export const hasWaitingRun = (taskId: string): string => `exists (
  select from scheduled_task_runs w where w.task_id = ${taskId} and w.status = 'waiting')`;

/** Two questions, an index for each: as one, no index would answer it. */
export const hasOpenRun = (taskId: string): string => `(${hasActiveRun(taskId)} or ${hasWaitingRun(taskId)})`;

export const HOLDS_PLACE = `status in (${listed(ACTIVE_STATUSES)})`;
