// Domain: how often a task has failed in a row, and when that is a fact of its own.
import type { RunStatus } from './run-status';

/** Once may be chance; so many times in a row is not. */
export const FAILING_AFTER = 3;

/** An interruption says nothing about the task. */
export function streakAfter(streak: number, status: RunStatus): number {
  if (status === 'success') return 0;
  return status === 'failed' ? streak + 1 : streak;
}

/** Told once, when it begins, and once when it is over. */
export function streakFact(before: number, after: number): 'task.failing' | 'task.recovered' | null {
  if (before < FAILING_AFTER && after >= FAILING_AFTER) return 'task.failing';
  return before >= FAILING_AFTER && after === 0 ? 'task.recovered' : null;
}
