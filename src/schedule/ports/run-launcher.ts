// Port. How a run of a task becomes an agent run. The run's id is the request id, so asking twice starts one.
import { token } from '../../kernel/token';
import type { LaunchOrder } from '../domain/launch-order';

/**
 * `failed`: certainly no agent run exists. `unknown`: one may exist; the place is kept and reconciliation finds out.
 * `aborted`: this process is stopping; nothing was decided, and whoever comes next launches under the same id.
 */
export type LaunchResult =
  | { readonly outcome: 'started'; readonly agentRunId: string; readonly threadId: string; readonly startedAt: Date }
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'failed'; readonly error: string }
  | { readonly outcome: 'unknown'; readonly error: string }
  | { readonly outcome: 'aborted' };

/** What is known of the agent run behind a run. */
export interface LaunchedRun {
  readonly runId: string;
  readonly agentRunId: string;
  readonly threadId: string;
  /** The agent run's own word; outcomeOf says which of them are ends. */
  readonly status: string;
  readonly error: string | null;
  /** The end was concluded from a silence: a true one may follow. */
  readonly presumed?: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface RunLauncher {
  /** Never throws: every fault is one of the results. */
  launch(order: LaunchOrder): Promise<LaunchResult>;

  /**
   * Several orders for one thread and one assistant, as one turn of its agent, in this order: an agent run for each, which
   * start and end together. Never throws; answers order by order.
   */
  launchTogether(orders: readonly LaunchOrder[]): Promise<LaunchResult[]>;

  /** Which of these threads are not idle. */
  busyThreads(threadIds: readonly string[]): Promise<ReadonlySet<string>>;

  /** The agent runs that exist for these runs; a run without one is missing from the answer. */
  find(runIds: readonly string[]): Promise<LaunchedRun[]>;

  /** Ends the agent run of a run as far as possible; does nothing when there is none. */
  cancel(runId: string, now: Date): Promise<void>;
}

export const RunLauncher = token<RunLauncher>('RunLauncher');
