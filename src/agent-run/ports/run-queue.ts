// Port. Between the decision that a run shall be executed and its execution, here or on another machine. Runs of one
// assistant start in the order in which they were submitted; which of them wait is the queue's business.
import { token } from '../../kernel/token';
import type { AgentRun } from '../domain/agent-run';

export interface RunJob {
  readonly run: AgentRun;
  /** Further prompts of the same turn: they start and end with it. */
  readonly together?: readonly AgentRun[];
  /** How many runs of this assistant may work at once; null: no limit of its own. */
  readonly places: number | null;
}

export interface Execution {
  /** The instant just before the driver's start call. */
  readonly startedAt: Date;
  /** Settles when the agent has ended and its place is free again; never rejects. */
  readonly ended: Promise<void>;
}

/** Executes one run. Rejects when the run could not be started. */
export interface RunWorker {
  execute(run: AgentRun, together?: readonly AgentRun[]): Promise<Execution>;
}

/** A submitted run that will never be executed: somebody took it out of the queue, or this process is stopping. */
export type NeverStarted = 'withdrawn' | 'closed';

export interface RunQueue {
  /** Resolves when the run has started, rejects with the worker's error when it could not be. */
  submit(job: RunJob): Promise<{ readonly startedAt: Date } | NeverStarted>;
  /** Takes a run out that still waits. False: it is being executed, or is not here. */
  withdraw(agentRunId: string): boolean;
  /** Names the one who executes; until then everything waits. */
  serve(worker: RunWorker): void;
  /** From now on nothing starts here any more: who waits is told so, and who comes too. */
  close(): void;
}

export const RunQueue = token<RunQueue>('RunQueue');
