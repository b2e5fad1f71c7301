// Recovery: brings every active run in line with what is true of its agent run. Works while everybody lives (a lost
// completion, a launch of unknown fate) and after a death (runs that a dead process owned). A living process's launch is
// never touched.
import type { ThisInstance } from '../../kernel/this-instance';
import { lostWithItsProcess, neverHeardOf } from '../domain/outcome';
import type { ScheduledRun } from '../domain/run';
import type { RunEvent } from '../domain/run-event';
import type { SchedulePolicy } from '../domain/schedule-policy';
import type { BackgroundLog } from '../ports/background-log';
import type { ActiveRun, DispatchLedger } from '../ports/dispatch-ledger';
import type { PollerWake } from '../ports/poller-wake';
import type { LaunchedRun, RunLauncher } from '../ports/run-launcher';
import type { LaunchRun } from './launch-run';
import type { RecordOutcome } from './record-outcome';

const PAGE = 500;
/** A run of a living process is looked at only when its books should long be in order. */
const UNDISTURBED_MS = 10_000;

export class SettleRuns {
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
    let settled = 0;
    for (let after: string | null = null; ;) {
      const page: ActiveRun[] = await this.ledger.activeRuns(now, after, PAGE);
      settled += await this.settle(page, now);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) break;
      after = last.run.id;
    }
    if (settled > 0) this.wake.wake();
    return settled;
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
      const known = launched.get(run.id);
      if (known !== undefined) return this.follow(run, known, ownerAlive, now);
      // Claimed, but its launch is in nobody's hands (its owner died, or could not write down how it failed): it is
      // launched now, under the same id.
      if (run.status === 'queued' && (!ownerAlive || this.isMineAndIdle(run))) orphans.push(run.id);
      else if (ownerAlive) return this.giveUp(run, now);
      else await this.ledger.record(run.id, { type: 'ended', outcome: lostWithItsProcess(), at: now, launch: null });
      return true;
    });
    const results = await Promise.all(settling);
    await this.relaunch(orphans, now);
    return results.filter(Boolean).length;
  }

  /** The agent run exists: what the books lack is written in the order in which it happened. */
  private async follow(run: ScheduledRun, known: LaunchedRun, ownerAlive: boolean, now: Date): Promise<boolean> {
    const events: RunEvent[] = [];
    if (run.status === 'queued' && known.startedAt !== null) {
      events.push({ type: 'launched', launch: { agentRunId: known.agentRunId, startedAt: known.startedAt } });
    } else if (run.agentRunId === null) {
      events.push({ type: 'found', agentRunId: known.agentRunId });
    }
    if (run.status === 'queued' && ownerAlive && known.finishedAt === null) return false;
    for (const event of events) await this.ledger.record(run.id, event);
    if (known.finishedAt !== null) {
      await this.outcomes.run(known, now);
      this.log.warn(`The end of run ${run.id} had not been written down; it has been now (${known.status}).`);
    }
    return events.length > 0 || known.finishedAt !== null;
  }

  /** A living process's run without an agent run: either its launch is under way, or nobody knows whether there was one. */
  private async giveUp(run: ScheduledRun, now: Date): Promise<boolean> {
    if (run.status !== 'running' || run.agentRunId !== null) return false;
    const deadline = this.policy.launchUnknownDeadlineSeconds;
    const age = now.getTime() - (run.startedAt ?? run.createdAt).getTime();
    if (age < deadline * 1_000) return false;
    await this.launcher.cancel(run.id, now);
    await this.ledger.record(run.id, { type: 'ended', outcome: neverHeardOf(deadline), at: now, launch: null });
    this.log.warn(`Run ${run.id} was given up: nobody could find out whether it had started.`);
    return true;
  }

  private isMineAndIdle(run: ScheduledRun): boolean {
    return run.instanceId === this.instance.id && !this.launch.isUnderWay(run.id);
  }

  private async relaunch(runIds: readonly string[], now: Date): Promise<void> {
    if (runIds.length === 0) return;
    const { claimed, unreadable } = await this.ledger.adopt(runIds, this.instance.id);
    for (const run of claimed) this.launch.detach(run);
    for (const { runId, error } of unreadable)
      await this.ledger.record(runId, { type: 'launch-failed', error, at: now });
  }
}
