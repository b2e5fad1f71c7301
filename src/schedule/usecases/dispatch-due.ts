// One round of the poller: claim what is due and has a place, hand it on, say when to come back. The round is over when
// the claim is committed; launches go on by themselves.
import type { ThisInstance } from '../../kernel/this-instance';
import type { DispatchLedger, NextDue } from '../ports/dispatch-ledger';
import type { DispatchMetrics } from '../ports/dispatch-metrics';
import type { BackgroundLog } from '../ports/background-log';
import { attended, type Attention } from '../domain/late-reason';
import type { SchedulePolicy } from '../domain/schedule-policy';
import { starvation } from '../domain/starvation';
import type { StarvationNotices } from '../ports/starvation-notices';
import type { LaunchRun } from './launch-run';

/** The most tasks of one transaction: what measuring found to be the best of round trips against lock time. */
const BATCH = 1_000;
/** When something is due that this round could not have: somebody holds its row for the moment. */
const RETRY_MS = 250;

/** So many poll intervals without a look, and nobody was looking: the process was stopped, or its machine slept. */
const INTERVALS_UNLOOKED = 3;

export class DispatchDue {
  private stopping = false;
  /** When to look next, as the last look said; undefined before that. What came since wakes it, and is asked for. */
  private nextLook: Date | null | undefined;
  private attention: Attention | null = null;
  private lastLook: Date | null = null;
  private starvationLookedAt: Date | null = null;

  constructor(
    private readonly ledger: DispatchLedger,
    private readonly launch: LaunchRun,
    private readonly metrics: DispatchMetrics,
    private readonly log: BackgroundLog,
    private readonly policy: SchedulePolicy,
    private readonly instance: ThisInstance,
    private readonly notices: StarvationNotices,
  ) {}

  /** Answers when to look next; null when nothing is waiting, or only a free place would help. */
  async run(now: Date): Promise<Date | null> {
    const attention = attended(
      this.attention,
      this.lastLook,
      now,
      this.policy.pollIntervalSeconds * INTERVALS_UNLOOKED * 1_000,
    );
    this.lastLook = now;
    // A poll or a wake may find nothing due: that costs one statement, and no transaction under the budget's lock.
    if (this.nextLook !== undefined && (this.nextLook === null || this.nextLook > now)) {
      const { next } = await this.look(now);
      if (next === null || next > now) {
        this.attention = { ...attention, fullSince: null };
        return next;
      }
    }
    for (;;) {
      if (this.stopping) return null;
      const { claimed, skipped, waiting, missed, corrupt, full, more } = await this.ledger.claimDue({
        now,
        horizon: new Date(now.getTime() + this.policy.lookAheadMs),
        instanceId: this.instance.id,
        leaseSeconds: this.policy.leaseSeconds,
        budget: this.policy.maxConcurrentRuns,
        limit: BATCH,
        attention,
      });
      for (const run of claimed) this.launch.detach(run);
      if (skipped > 0) this.metrics.dispatched('skipped', skipped);
      if (missed > 0) this.metrics.missed(missed);
      for (const taskId of corrupt) this.log.error(`Task ${taskId} was due and cannot be read; it is marked failed.`);
      this.attention = { ...attention, fullSince: full ? (attention.fullSince ?? now) : null };
      if (more) continue;
      await this.tellStarvation(this.attention, now);
      const { next, earliest } = await this.look(now);
      if (next === null || next > now) return next;
      // A completion that frees a place wakes the poller while something is due; not for what could only be had ahead.
      if (full) return earliest !== null && earliest > now ? earliest : null;
      if (claimed.length + skipped + waiting + corrupt.length > 0) return next;
      return new Date(now.getTime() + RETRY_MS);
    }
  }

  private async tellStarvation(attention: Attention, now: Date): Promise<void> {
    const starved = starvation(attention, this.starvationLookedAt, now);
    if (starved === null) return;
    this.starvationLookedAt = now;
    // Whatever comes of it, dispatching goes on.
    await this.notices.tell(starved).catch((error: unknown) => {
      this.log.warn(`Nobody was told that due tasks find no place: ${String(error)}`);
    });
  }

  private async look(now: Date): Promise<{ next: Date | null; earliest: Date | null }> {
    const { lookAheadMs, pollIntervalSeconds } = this.policy;
    // What lies further away is asked for again in time.
    const due = await this.ledger.nextDue(new Date(now.getTime() + lookAheadMs + pollIntervalSeconds * 1_000));
    this.nextLook = lookAt(due, lookAheadMs);
    return { next: this.nextLook, earliest: due.earliest };
  }

  /** No further claim; a round under way ends after its transaction. */
  stop(): void {
    this.stopping = true;
  }
}

/** At the earliest instant; sooner, where a task that may be claimed ahead comes up. */
function lookAt({ earliest, earliestIdle }: NextDue, lookAheadMs: number): Date | null {
  if (earliest === null || earliestIdle === null) return earliest;
  const ahead = new Date(earliestIdle.getTime() - lookAheadMs);
  return ahead < earliest ? ahead : earliest;
}
