// Port. Runs that agents may fetch. What agents tell of a run is believed of the one that has it, and of nobody else.
import { token } from '../../kernel/token';
import type { AgentIdentity } from '../domain/identity';
import type { FetchedWork, WorkEnd, WorkRenewal } from '../domain/work';

export interface FetchWish {
  /** Runs of its tenant only. */
  readonly agent: AgentIdentity;
  readonly assistants: readonly string[];
  readonly waitSeconds: number;
  /** The agent is gone: what it would get is for somebody else. */
  readonly gone: AbortSignal;
}

export interface Work {
  /** Those of `assistants` whose runs an agent with these labels may have. */
  allowed(assistants: readonly string[], labels: readonly string[]): string[];
  /** The oldest waiting run, for this agent alone. Null: there was none within the time. */
  fetch(wish: FetchWish): Promise<FetchedWork | null>;
  /** As if it had never been fetched. */
  giveBack(agent: AgentIdentity, work: FetchedWork): Promise<void>;
  /** A sign of life. Throws a conflict when the run is not this agent's (any more). */
  renew(agent: AgentIdentity, runId: string, token: string): Promise<WorkRenewal>;
  /** The first report counts. Throws a conflict when the run is not this agent's (any more). */
  complete(agent: AgentIdentity, runId: string, token: string, end: WorkEnd): Promise<void>;
}

export const Work = token<Work>('Work');
