// Test support. A launcher that does what a test says: how the next launches end, which of them are held on the way, and
// which agent runs exist. Like the real one it starts one agent run for a request id, however often it is asked.
import type { Clock } from '../../../src/kernel/clock';
import type { LaunchOrder } from '../../../src/schedule/domain/launch-order';
import type { LaunchedRun, LaunchResult, RunLauncher } from '../../../src/schedule/ports/run-launcher';

export type Step = LaunchResult | ((order: LaunchOrder) => LaunchResult | Promise<LaunchResult>);

/** A launch that waits for its test. */
export interface HeldLaunch {
  /** Resolves when the launcher was asked. */
  readonly reached: Promise<LaunchOrder>;
  /** Lets it go on, to the end that was scripted or to the given one. */
  release(result?: LaunchResult): void;
}

export class ScriptedLauncher implements RunLauncher {
  /** What was asked, in order; an order that came twice is here twice. */
  readonly orders: LaunchOrder[] = [];
  readonly cancelled: string[] = [];
  /** The turns of several orders. */
  readonly turns: string[][] = [];
  /** Threads that are not idle. */
  readonly busy = new Set<string>();
  /** The agent runs that exist, by request id. */
  readonly agentRuns = new Map<string, LaunchedRun>();
  private readonly steps: Step[] = [];

  constructor(private readonly clock: Clock) {}

  /** How the next launches end; what is not scripted is started. */
  script(...steps: Step[]): void {
    this.steps.push(...steps);
  }

  hold(): HeldLaunch {
    const reached = deferred<LaunchOrder>();
    const released = deferred<LaunchResult | undefined>();
    this.script(async (order) => {
      reached.resolve(order);
      return (await released.promise) ?? this.start(order);
    });
    return { reached: reached.promise, release: (result) => released.resolve(result) };
  }

  launch(order: LaunchOrder): Promise<LaunchResult> {
    this.orders.push(order);
    const step = this.steps.shift() ?? ((asked: LaunchOrder) => this.start(asked));
    return Promise.resolve(typeof step === 'function' ? step(order) : step);
  }

  /** Whatever is scripted next is the answer to all of them. */
  async launchTogether(orders: readonly LaunchOrder[]): Promise<LaunchResult[]> {
    this.turns.push(orders.map(({ requestId }) => requestId));
    const [head, ...others] = orders;
    if (head === undefined) return [];
    const result = await this.launch(head);
    this.orders.push(...others);
    return [result, ...others.map((order) => (result.outcome === 'started' ? this.start(order) : result))];
  }

  busyThreads(threadIds: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(threadIds.filter((id) => this.busy.has(id))));
  }

  find(runIds: readonly string[]): Promise<LaunchedRun[]> {
    return Promise.resolve(runIds.flatMap((runId) => this.agentRuns.get(runId) ?? []));
  }

  cancel(runId: string): Promise<void> {
    this.cancelled.push(runId);
    return Promise.resolve();
  }

  /** The agent run of a run, as it stands from now on. */
  agentRun(runId: string, changes: Partial<LaunchedRun> = {}): LaunchedRun {
    const known = this.agentRuns.get(runId) ?? {
      runId,
      agentRunId: `agent-${runId}`,
      threadId: 'thread-1',
      status: 'running',
      error: null,
      startedAt: this.clock.now(),
      finishedAt: null,
    };
    const run = { ...known, ...changes };
    this.agentRuns.set(runId, run);
    return run;
  }

  private start({ requestId, threadId }: LaunchOrder): LaunchResult {
    const { agentRunId, startedAt } = this.agentRun(requestId, { threadId });
    return { outcome: 'started', agentRunId, threadId, startedAt: startedAt ?? this.clock.now() };
  }
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, resolve: (value) => settle?.(value) };
}
