// Outbound adapter. Launches through the front door of agent-run.
import { systemActor } from '../../kernel/actor';
import { DomainError } from '../../kernel/domain-error';
import {
  StartAbortedError,
  type CancelRun,
  type FindRuns,
  type StartRun,
  type StartRunInput,
  type StartRunResult,
} from '../../agent-run';
import type { Clock } from '../../kernel/clock';
import type { LaunchOrder } from '../domain/launch-order';
import type { LaunchedRun, LaunchResult, RunLauncher } from '../ports/run-launcher';

const ACTOR = systemActor('dispatch: launch');

export class AgentRunLauncher implements RunLauncher {
  constructor(
    private readonly startRun: StartRun,
    private readonly findRuns: FindRuns,
    private readonly cancelRun: CancelRun,
    private readonly clock: Clock,
  ) {}

  async launch(order: LaunchOrder): Promise<LaunchResult> {
    try {
      return launched(await this.startRun.run(ACTOR, inputOf(order), this.clock.now()));
    } catch (error) {
      return notLaunched(error);
    }
  }

  async launchTogether(orders: readonly LaunchOrder[]): Promise<LaunchResult[]> {
    try {
      return (await this.startRun.together(ACTOR, orders.map(inputOf), this.clock.now())).map(launched);
    } catch (error) {
      const result = notLaunched(error);
      return orders.map(() => result);
    }
  }

  busyThreads(threadIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.findRuns.busyThreads(ACTOR, threadIds);
  }

  async find(runIds: readonly string[]): Promise<LaunchedRun[]> {
    const summaries = await this.findRuns.byRequestIds(ACTOR, runIds);
    return summaries.map(({ id, requestId, ...summary }) => ({ runId: requestId, agentRunId: id, ...summary }));
  }

  async cancel(runId: string, now: Date): Promise<void> {
    const [found] = await this.find([runId]);
    if (found !== undefined) await this.cancelRun.run(ACTOR, found.agentRunId, now);
  }
}

function inputOf({ workingFolder, ...rest }: LaunchOrder): StartRunInput {
  return { ...rest, whenBusy: 'reject', ...(workingFolder === null ? {} : { workingFolder }) };
}

/** Nothing is asked to be queued here: whose turn it is, is the schedule's own book. */
function launched(result: StartRunResult): LaunchResult {
  return result.outcome === 'queued' ? { outcome: 'busy' } : result;
}

function notLaunched(error: unknown): LaunchResult {
  if (error instanceof StartAbortedError) return { outcome: 'aborted' };
  // Not in our books, but where its agent lives.
  if (error instanceof DomainError && error.kind === 'busy') return { outcome: 'busy' };
  // A database that is away may have stored the agent run before it went.
  if (error instanceof DomainError && error.kind !== 'unavailable') return { outcome: 'failed', error: error.message };
  return { outcome: 'unknown', error: (error as Error).message };
}
