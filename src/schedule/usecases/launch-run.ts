// Turns a claimed run into an agent run and writes down what came of it. Only the launch itself can fail a run: nothing
// that started is ever called failed for a fault in the books, recovery finds out what was not written (settle-runs.ts).
import type { Clock } from '../../kernel/clock';
import { launchOrder, type LaunchOrder } from '../domain/launch-order';
import type { ScheduledRun } from '../domain/run';
import type { RunEvent } from '../domain/run-event';
import type { BackgroundLog } from '../ports/background-log';
import type { ClaimedRun, DispatchLedger } from '../ports/dispatch-ledger';
import type { DispatchMetrics, DispatchOutcome } from '../ports/dispatch-metrics';
import type { PollerWake } from '../ports/poller-wake';
import type { LaunchResult, RunLauncher } from '../ports/run-launcher';
import type { HoldUntilDue } from './hold-until-due';

export class LaunchRun {
  private readonly underWay = new Map<string, Promise<unknown>>();
  private begun = 0;

  constructor(
    private readonly launcher: RunLauncher,
    private readonly ledger: DispatchLedger,
    private readonly hold: HoldUntilDue,
    private readonly wake: PollerWake,
    private readonly metrics: DispatchMetrics,
    private readonly log: BackgroundLog,
    private readonly clock: Clock,
  ) {}

  /** Launches without waiting, at its instant: one slow launch delays nothing. At most a budget's worth is under way. */
  detach(claimed: ClaimedRun): void {
    void this.run(claimed);
  }

  /** Never throws. */
  run(claimed: ClaimedRun): Promise<LaunchResult> {
    this.begun += 1;
    const launching = this.launch(claimed);
    this.underWay.set(claimed.run.id, launching);
    void launching.finally(() => this.underWay.delete(claimed.run.id));
    return launching;
  }

  /** Several runs of one conversation, in one turn of its agent, in this order. */
  detachTogether(turn: readonly ClaimedRun[]): void {
    this.begun += turn.length;
    const launching = this.launchTogether(turn);
    for (const { run } of turn) this.underWay.set(run.id, launching);
    void launching.finally(() => turn.forEach(({ run }) => this.underWay.delete(run.id)));
  }

  isUnderWay(runId: string): boolean {
    return this.underWay.has(runId);
  }

  /** How many launches have begun in this process. */
  get launches(): number {
    return this.begun;
  }

  /** For a stop: what is not due yet is given back, what is due is launched. */
  giveBack(): Promise<void> {
    return this.hold.giveBack();
  }

  /** Waits for the launches under way. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.underWay.values()]);
  }

  private async launch({ task, run }: ClaimedRun): Promise<LaunchResult> {
    if (!(await this.hold.run(run))) return { outcome: 'aborted' };
    return this.settle(run, await this.ask(launchOrder(task.rule, run)));
  }

  private async launchTogether(turn: readonly ClaimedRun[]): Promise<void> {
    const orders = turn.map(({ task, run }) => launchOrder(task.rule, run));
    const results = await this.askTogether(orders);
    await Promise.all(turn.map(({ run }, nr) => this.settle(run, results[nr] ?? NO_ANSWER)));
  }

  private async settle(run: ScheduledRun, answer: LaunchResult): Promise<LaunchResult> {
    let result = answer;
    if (result.outcome === 'started' && result.threadId !== run.threadId) {
      this.log.error(`Run ${run.id} was started on thread ${result.threadId} instead of ${run.threadId}.`);
      result = { outcome: 'unknown', error: 'It was started on another thread than the one asked for.' };
    }
    if (result.outcome === 'unknown') this.log.warn(`Whether run ${run.id} was started is not known: ${result.error}`);
    const event = eventOf(result, this.clock.now());
    if (event === null) return result;
    this.count(result, run);
    try {
      const { backlog, waiting } = await this.ledger.record(run.id, event);
      if (backlog) this.wake.wake();
      if (waiting) this.wake.wakeWaiting();
    } catch (error) {
      this.log.error(
        `The launch of run ${run.id} (${result.outcome}) could not be written down; it will be found.`,
        error,
      );
    }
    return result;
  }

  /** A launcher that throws has broken its word; what it has done until then nobody knows. */
  private async ask(order: LaunchOrder): Promise<LaunchResult> {
    try {
      return await this.launcher.launch(order);
    } catch (error) {
      return { outcome: 'unknown', error: error instanceof Error ? error.message : String(error) };
    }
  }

  private async askTogether(orders: readonly LaunchOrder[]): Promise<readonly LaunchResult[]> {
    try {
      return await this.launcher.launchTogether(orders);
    } catch (error) {
      const result = { outcome: 'unknown', error: error instanceof Error ? error.message : String(error) } as const;
      return orders.map(() => result);
    }
  }

  private count(result: LaunchResult, { trigger, scheduledFor }: ScheduledRun): void {
    const refused = result.outcome === 'busy' && trigger === 'manual';
    this.metrics.dispatched(refused ? 'conflict' : OUTCOMES[result.outcome]);
    if (result.outcome !== 'started') return;
    this.metrics.started((result.startedAt.getTime() - scheduledFor.getTime()) / 1_000);
  }
}

const NO_ANSWER: LaunchResult = { outcome: 'unknown', error: 'The launcher did not say what came of it.' };

const OUTCOMES: Readonly<Record<LaunchResult['outcome'], DispatchOutcome>> = {
  started: 'launched',
  busy: 'skipped',
  failed: 'failed',
  unknown: 'unknown',
  aborted: 'unknown',
};

/** Null: it was not to be started, or this process is stopping, and nothing was decided. */
function eventOf(result: LaunchResult, now: Date): RunEvent | null {
  switch (result.outcome) {
    case 'started':
      return { type: 'launched', launch: { agentRunId: result.agentRunId, startedAt: result.startedAt } };
    case 'unknown':
      return { type: 'launched', launch: { agentRunId: null, startedAt: now } };
    case 'busy':
      return { type: 'thread-busy', at: now };
    case 'failed':
      return { type: 'launch-failed', error: result.error, at: now };
    case 'aborted':
      return null;
  }
}
