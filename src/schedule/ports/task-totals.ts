// Port. What all runs of a task took together.
import { token } from '../../kernel/token';
import type { UserActor } from '../../kernel/actor';

export interface RunTotals {
  /** Those that started. */
  readonly runs: number;
  /** From their starts to their ends. */
  readonly seconds: number;
}

/** What agents say that they used; zero where none says anything. */
export interface UsageTotals {
  /** How many runs say anything of it. */
  readonly reported: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly costUsd: number;
}

export interface TaskTotals {
  runs(actor: UserActor, taskId: string): Promise<RunTotals>;
  usage(actor: UserActor, taskId: string): Promise<UsageTotals>;
}

export const TaskTotals = token<TaskTotals>('TaskTotals');
