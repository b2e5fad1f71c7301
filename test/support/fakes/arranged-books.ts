// Test support. The in-memory books arranged and looked at behind the ports' backs.
import type { Clock } from '../../../src/kernel/clock';
import type { TaskProgress } from '../../../src/schedule/domain/task-progress';
import type { Arrangement } from '../arrangement';
import { stored, type Books } from './books';

export function arrangement(books: Books, clock: Clock & { set(at: Date): void }): Arrangement {
  const entryOf = (taskId: string) => {
    const entry = books.tasks.get(taskId);
    if (entry === undefined) throw new Error(`There is no task ${taskId}.`);
    return entry;
  };
  const done = Promise.resolve();
  return {
    setLeaseClock: (at) => (clock.set(at), done),
    put: (task, lease) => (books.tasks.set(task.id, { stored: stored(task), lease: lease ?? null }), done),
    putRun: (run) => (books.runs.set(run.id, run), done),
    putInstance: (id, instance) => (books.instances.set(id, instance), done),
    spoil: (taskId) => {
      const entry = entryOf(taskId);
      entry.stored = { ...entry.stored, scheduleSpec: { cron: 'nonsense' } };
      return done;
    },
    state: (taskId) => {
      const { stored: row, lease } = entryOf(taskId);
      const { status, nextRunAt, lastRunAt, lastRunId, lastThreadId, lastError, runCount } = row;
      const { missedOccurrences, version, deletedAt } = row;
      const progress = { status, nextRunAt, lastRunAt, lastRunId, lastThreadId, lastError, runCount } as TaskProgress;
      return Promise.resolve({ ...progress, missedOccurrences, version, deletedAt, lease });
    },
    runsOf: (taskId) => {
      const runs = [...books.runs.values()].filter((run) => run.taskId === taskId);
      return Promise.resolve(runs.sort((a, b) => +a.createdAt - +b.createdAt || (a.id < b.id ? -1 : 1)));
    },
    clear: () => {
      for (const shelf of [books.tasks, books.runs, books.instances]) shelf.clear();
      return done;
    },
  };
}
