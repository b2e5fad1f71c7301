// Port. The history of runs, for reading. Everything that writes a run is in dispatch-ledger.ts.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { PageRequest, RunFilter } from '../domain/listing';
import type { ScheduledRun } from '../domain/run';

export interface RunRepository {
  /** The run, or null when it is absent or somebody else's. */
  find(actor: Actor, runId: string): Promise<ScheduledRun | null>;

  /** Newest first by creation, then id; filters apply before the page is cut. */
  list(actor: Actor, filter: RunFilter, page: PageRequest): Promise<ScheduledRun[]>;
}

export const RunRepository = token<RunRepository>('RunRepository');
