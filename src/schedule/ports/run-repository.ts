// Port. The history of runs, for reading. Everything that writes a run is in dispatch-ledger.ts.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ScheduledRun } from '../domain/run';
import type { RunStatus } from '../domain/run-status';
import type { Trigger } from '../domain/status';
import type { PageRequest } from './task-repository';

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

export interface RunRepository {
  /** The run, or null when it is absent or somebody else's. */
  find(actor: Actor, runId: string): Promise<ScheduledRun | null>;

  /** Newest first by creation, then id; filters apply before the page is cut. */
  list(actor: Actor, filter: RunFilter, page: PageRequest): Promise<ScheduledRun[]>;
}

export const RunRepository = token<RunRepository>('RunRepository');
