// Scheduler. How much is waiting and working, over all processes, read at a scrape.
import type { Clock } from '../kernel/clock';
import type { Metrics } from '../platform/metrics/metrics';

/** What schedule answers when asked for its backlog. */
export interface BacklogReader {
  read(now: Date): Promise<{
    readonly dueTasks: number;
    readonly oldestDueAt: Date | null;
    readonly activeRuns: number;
    readonly tasksWithoutNextRun: number;
  }>;
}

const GAUGES = {
  due: { name: 'horarium_due_tasks', help: 'Tasks whose instant has come and that have not been claimed.' },
  oldest: { name: 'horarium_oldest_due_age_seconds', help: 'For how long the first of them has been due; 0: none is.' },
  active: { name: 'horarium_active_runs', help: 'Runs that hold a place of the budget, over all processes.' },
  budget: { name: 'horarium_run_budget', help: 'The places that there are (SCHEDULE_MAX_CONCURRENT_RUNS).' },
  lost: {
    name: 'horarium_tasks_without_next_run',
    help: 'Enabled tasks without a next instant: anything but 0 is a fault.',
  },
};

export function contributeBacklog(metrics: Metrics, backlog: BacklogReader, budget: number, clock: Clock): void {
  metrics.contribute('schedule', GAUGES, async () => {
    const now = clock.now();
    const { dueTasks, oldestDueAt, activeRuns, tasksWithoutNextRun } = await backlog.read(now);
    const oldest = oldestDueAt === null ? 0 : Math.max(0, now.getTime() - oldestDueAt.getTime()) / 1_000;
    return { due: dueTasks, oldest, active: activeRuns, budget, lost: tasksWithoutNextRun };
  });
}
