// Test support. What contract tests arrange and look at behind the ports' backs, in memory as on PostgreSQL.
import type { Lease } from '../../src/schedule/domain/dispatch';
import type { ScheduledRun } from '../../src/schedule/domain/run';
import type { ScheduledTask } from '../../src/schedule/domain/task';
import type { TaskProgress } from '../../src/schedule/domain/task-progress';
import type { Instance } from './fakes/books';

/** Everything stored of a task's progress. */
export type State = TaskProgress & { readonly lease: Lease | null; readonly deletedAt: Date | null };

/** What tests arrange and look at, whatever the ports allow. */
export interface Arrangement {
  /** Sets the clock of leases and heartbeats. */
  setLeaseClock(at: Date): Promise<void>;
  /** Stores a task with its whole progress, whether it could have come there or not. */
  put(task: ScheduledTask, lease?: Lease): Promise<void>;
  putRun(run: ScheduledRun): Promise<void>;
  putInstance(id: string, instance: Instance): Promise<void>;
  /** Makes the stored schedule unreadable. */
  spoil(taskId: string): Promise<void>;
  state(taskId: string): Promise<State>;
  /** The runs of a task by creation, then id. */
  runsOf(taskId: string): Promise<ScheduledRun[]>;
  clear(): Promise<void>;
}
