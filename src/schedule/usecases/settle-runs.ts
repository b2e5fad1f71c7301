// Recovery: brings every active run in line with what is true of its agent run. Works while everybody lives (a lost
// completion, a launch of unknown fate) and after a death (runs that a dead process owned). A living process's launch is
// never touched.
import type { ThisInstance } from '../../kernel/this-instance';
import { goneWithoutTrace, lostWithItsProcess, neverHeardOf, type Outcome } from '../domain/outcome';
import type { ScheduledRun } from '../domain/run';
import type { SchedulePolicy } from '../domain/schedule-policy';
import type { BackgroundLog } from '../ports/background-log';
import type { ActiveRun, DispatchLedger } from '../ports/dispatch-ledger';
import type { PollerWake } from '../ports/poller-wake';
import type { LaunchedRun, RunLauncher } from '../ports/run-launcher';
import type { LaunchRun } from './launch-run';
import type { RecordOutcome } from './record-outcome';

const PAGE = 500;
/** However calm it is, the books are looked at this often. */
const LONGEST_CALM_MS = 120_000;
/** A run of a living process is looked at only when its books should long be in order. */
const UNDISTURBED_MS = 10_000;

export class SettleRuns {
  /** The last look found no active run, and no other process that could have one. */
  private calm: { readonly since: Date; readonly launches: number } | null = null;

  constructor(
    private readonly ledger: DispatchLedger,
    private readonly launcher: RunLauncher,
    private readonly launch: LaunchRun,
    private readonly outcomes: RecordOutcome,
    private readonly wake: PollerWake,
    private readonly log: BackgroundLog,
    private readonly policy: SchedulePolicy,
    private readonly instance: ThisInstance,
  ) {}

  /** Answers how many runs it settled. */
  async run(now: Date): Promise<number> {
    if (this.isCalm(now)) return 0;
    const { launches } = this.launch;
    const alone = this.instance.alone === true;
    let settled = 0;
    let active = 0;
    for (let after: string | null = null; ;) {
      const page: ActiveRun[] = await this.ledger.activeRuns(now, after, PAGE);
      active += page.length;
      settled += await this.settle(page, now);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) break;
      after = last.run.id;
    }
    if (settled > 0) this.wake.wake();
    this.calm = alone && active === 0 ? { since: now, launches } : null;
    return settled;
  }

  /** Nothing was active then, and nothing can have become so: nobody else is there, and no launch has begun here. */
  private isCalm(now: Date): boolean {
    if (this.calm === null || this.instance.alone !== true || this.launch.launches !== this.calm.launches) return false;
    return now.getTime() - this.calm.since.getTime() < LONGEST_CALM_MS;
  }

  private async settle(page: readonly ActiveRun[], now: Date): Promise<number> {
    const disturbed = page.filter(
      ({ run, ownerAlive }) => !ownerAlive || now.getTime() - run.createdAt.getTime() > UNDISTURBED_MS,
    );
    if (disturbed.length === 0) return 0;
    const found = await this.launcher.find(disturbed.map(({ run }) => run.id));
    const launched = new Map(found.map((one) => [one.runId, one]));
    const orphans: string[] = [];
    const settling = disturbed.map(async ({ run, ownerAlive }) => {
      // In this process's hands, whoever the books say it belongs to.
      if (this.launch.isUnderWay(run.id)) return false;
      const known = launched.get(run.id);
      const launchIsOver = !ownerAlive || run.instanceId === this.instance.id;
      if (known !== undefined) return this.follow(run, known, launchIsOver, now);
      if (run.status !== 'queued') return ownerAlive ? this.giveUp(run, now) : this.end(run, lostWithItsProcess(), now);
      // Claimed, but its launch is in nobody's hands (its owner died, or could not write down how it failed): it is
      // launched now, under the same id.
      if (launchIsOver) orphans.push(run.id);
      return launchIsOver;
    });
    const results = await Promise.all(settling);
    await this.relaunch(orphans, now);
    return results.filter(Boolean).length;
  }

  /** The agent run exists: what the books lack is written in the order in which it happened. */
  private async follow(run: ScheduledRun, known: LaunchedRun, launchIsOver: boolean, now: Date): Promise<boolean> {
    const { agentRunId, startedAt, finishedAt } = known;
    if (finishedAt !== null) {
      await this.outcomes.run(known, now);
      this.log.warn(`The end of run ${run.id} had not been written down; it has been now (${known.status}).`);
      return true;
    }
    if (run.status === 'running' && run.agentRunId === null) {
      return (await this.ledger.record(run.id, { type: 'found', agentRunId })).changed;
    }
    // Another living process is about to write its launch down itself.
    if (run.status !== 'queued' || !launchIsOver || startedAt === null) return false;
    return (await this.ledger.record(run.id, { type: 'launched', launch: { agentRunId, startedAt } })).changed;
  }

  /** A living process's run without an agent run: nobody knows whether there was one, or it is gone from the books. */
  private async giveUp(run: ScheduledRun, now: Date): Promise<boolean> {
    const deadline = this.policy.launchUnknownDeadlineSeconds;
    const age = now.getTime() - (run.startedAt ?? run.createdAt).getTime();
    if (age < deadline * 1_000) return false;
    await this.launcher.cancel(run.id, now);
    this.log.warn(`Run ${run.id} was given up: there is no agent run of it.`);
    return this.end(run, run.agentRunId === null ? neverHeardOf(deadline) : goneWithoutTrace(), now);
  }

  private async end(run: ScheduledRun, outcome: Outcome, now: Date): Promise<boolean> {
    return (await this.ledger.record(run.id, { type: 'ended', outcome, at: now, launch: null })).changed;
  }

  private async relaunch(runIds: readonly string[], now: Date): Promise<void> {
    if (runIds.length === 0) return;
    const { claimed, unreadable } = await this.ledger.adopt(runIds, this.instance.id);
    for (const run of claimed) this.launch.detach(run);
    for (const { runId, error } of unreadable)
      await this.ledger.record(runId, { type: 'launch-failed', error, at: now });
  }
}
