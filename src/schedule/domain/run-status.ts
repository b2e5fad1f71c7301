// Domain: the states of a run, as a compare-and-set table: a write says from where it may come, and one that finds the run
// elsewhere has lost a race and changes nothing. `sql-run-repository.ts` takes its `status = any(…)` lists from here.

export const RUN_STATUSES = ['waiting', 'queued', 'running', 'success', 'failed', 'interrupted', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Hold the task's one active slot (`uq_scheduled_task_run_active`) and a place of the budget. A waiting run holds neither
 * until its turn comes; of those, too, a task has at most one (`uq_scheduled_task_run_waiting`).
 */
export const ACTIVE_STATUSES = ['queued', 'running'] as const satisfies readonly RunStatus[];

export const ENDED_STATUSES = ['success', 'failed', 'interrupted', 'skipped'] as const satisfies readonly RunStatus[];

/**
 * Ends follow from `queued` too: an agent may be done before its launch is written down. A thread that turned out busy
 * makes a claimed run a skip, or sends it (back) into the queue. Nothing leads out of an end, but for the one correction of a presumed one (run.ts).
 */
const NEXT: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  waiting: ['queued', 'failed', 'interrupted'],
  queued: ['waiting', 'running', 'success', 'failed', 'interrupted', 'skipped'],
  running: ['success', 'failed', 'interrupted'],
  success: [],
  failed: [],
  interrupted: [],
  skipped: [],
};

export function mayBecome(from: RunStatus, to: RunStatus): boolean {
  return NEXT[from].includes(to);
}

/** The states a write of `to` may find. */
export function statesBefore(to: RunStatus): readonly RunStatus[] {
  return RUN_STATUSES.filter((from) => mayBecome(from, to));
}

export function hasEnded(status: RunStatus): boolean {
  return NEXT[status].length === 0;
}

export function holdsPlace(status: RunStatus): boolean {
  return (ACTIVE_STATUSES as readonly RunStatus[]).includes(status);
}
