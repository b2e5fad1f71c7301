// Port. What this machine can execute: the assistants that its operator has written down.
import { token } from '../../kernel/token';
import type { FetchedRun, RunReport } from '../domain/work';

export interface Program {
  readonly id: string;
  /** How many of its runs may work at once. */
  readonly concurrency: number;
}

export interface Programs {
  all(): readonly Program[];
  /** Resolves when the program works. Rejects, with words for people, when it certainly does not. */
  start(run: FetchedRun): Promise<{ readonly ended: Promise<RunReport> }>;
  /** Ends the whole process group of a run. */
  end(requestId: string, reason: string): Promise<void>;
  /** Nobody will ask for the run any more. */
  forget(requestId: string): Promise<void>;
  /** Ends what an earlier process of ours, which is dead, has left at work. */
  endLeftBehind(reason: string): Promise<void>;
}

export const Programs = token<Programs>('Programs');
