// Test support. DispatchLedger in memory; judged by the same contract suite as the adapter on PostgreSQL.
import type { Owner } from '../../../src/kernel/actor';
import { prefixedId, type Ids } from '../../../src/kernel/ids';
import { afterAdoption, claim, kindOf } from '../../../src/schedule/domain/dispatch';
import { CorruptTaskError } from '../../../src/schedule/domain/errors';
import { threadOf } from '../../../src/schedule/domain/launch-order';
import type { RecordedTask } from '../../../src/schedule/domain/record';
import { RUN_ID_PREFIX, ScheduledRun } from '../../../src/schedule/domain/run';
import { applyEvent, type RunEvent } from '../../../src/schedule/domain/run-event';
import { hasEnded, holdsPlace } from '../../../src/schedule/domain/run-status';
import type { ScheduleType } from '../../../src/schedule/domain/schedule-spec';
import type { TaskStatus } from '../../../src/schedule/domain/status';
import { progressOfCorrupt, restoreTask, type StoredTask } from '../../../src/schedule/domain/stored-task';
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import { isChange } from '../../../src/schedule/domain/task-progress';
import type {
  ActiveRun,
  Adoption,
  Backlog,
  ClaimedRound,
  ClaimedRun,
  ClaimOrder,
  Confirmation,
  DispatchLedger,
  ManualClaim,
  NextDue,
  RecordedEvent,
  WaitingRun,
} from '../../../src/schedule/ports/dispatch-ledger';
import type { Books, Entry } from './books';

interface Round {
  claimed: ClaimedRun[];
  skipped: number;
  waiting: number;
  missed: number;
  corrupt: string[];
}

export class InMemoryDispatchLedger implements DispatchLedger {
  constructor(
    private readonly books: Books,
    private readonly ids: Ids,
  ) {}

  claimDue(order: ClaimOrder): Promise<ClaimedRound> {
    const round: Round = { claimed: [], skipped: 0, waiting: 0, missed: 0, corrupt: [] };
    const free = Math.max(0, order.budget - this.books.placesTaken());
    if (free === 0) return Promise.resolve({ ...round, full: true, more: false });
    const limit = Math.min(free, order.limit);
    const due = this.books
      .dueBy(order.horizon ?? order.now)
      .filter(({ stored: { id, nextRunAt } }) => {
        const ahead = nextRunAt !== null && nextRunAt > order.now;
        return !ahead || this.books.activeRun(id) === undefined;
      })
      .slice(0, limit);
    const moved = due.map((entry) => this.claimEntry(entry, order, round)).filter(Boolean);
    return Promise.resolve({
      ...round,
      full: round.claimed.length === free,
      more: due.length === limit && round.claimed.length < free && moved.length > 0,
    });
  }

  claimManual(owner: Owner, taskId: string, order: Omit<ClaimOrder, 'limit'>): Promise<ManualClaim> {
    return new Promise((resolve) => resolve(this.claimOne(owner, taskId, order)));
  }

  adopt(runIds: readonly string[], instanceId: string): Promise<Adoption> {
    const claimed: ClaimedRun[] = [];
    const unreadable: { runId: string; error: string }[] = [];
    for (const runId of runIds) {
      const run = this.books.runs.get(runId);
      if (run?.status !== 'queued') continue;
      if (run.instanceId !== instanceId && this.books.isAlive(run.instanceId)) continue;
      const adopted = new ScheduledRun({ ...run, instanceId });
      this.books.runs.set(runId, adopted);
      const entry = this.books.tasks.get(run.taskId);
      if (entry === undefined) continue;
      if (entry.lease?.owner === run.instanceId) entry.lease = { ...entry.lease, owner: instanceId };
      try {
        claimed.push({ task: restoreTask(entry.stored), run: adopted });
      } catch (error) {
        if (!(error instanceof CorruptTaskError)) throw error;
        unreadable.push({ runId, error: error.message });
      }
    }
    return Promise.resolve({ claimed, unreadable });
  }

  waitingRuns(limit: number): Promise<WaitingRun[]> {
    const waiting = this.books.waitingRuns().slice(0, limit);
    return Promise.resolve(
      waiting.map((run) => ({
        run,
        task: readable(this.books.tasks.get(run.taskId)),
        blocked: this.books.activeRun(run.taskId) !== undefined,
      })),
    );
  }

  promote(runIds: readonly string[], order: Omit<ClaimOrder, 'limit' | 'attention'>): Promise<ClaimedRun[]> {
    const chosen = runIds.slice(0, Math.max(0, order.budget - this.books.placesTaken()));
    const promoted = chosen.flatMap((runId): ClaimedRun[] => {
      const run = this.books.runs.get(runId);
      if (run?.status !== 'waiting' || this.books.activeRun(run.taskId) !== undefined) return [];
      const task = readable(this.books.tasks.get(run.taskId));
      const given = { status: 'queued', instanceId: order.instanceId, lateReason: run.lateReason ?? 'waited' } as const;
      const queued = this.keep(new ScheduledRun({ ...run, ...given }));
      return task === null ? [] : [{ run: queued, task }];
    });
    return Promise.resolve(promoted);
  }

  record(runId: string, event: RunEvent): Promise<RecordedEvent> {
    const before = this.books.runs.get(runId);
    const entry = before === undefined ? undefined : this.books.tasks.get(before.taskId);
    if (before === undefined || entry === undefined) {
      return Promise.resolve({ run: null, changed: false, backlog: false, waiting: false });
    }
    const waits = this.books.waitingRun(before.taskId);
    const hasWaiting = waits !== undefined && waits.id !== runId;
    const { run, change } = applyEvent({ ...recorded(entry.stored), hasWaiting }, before, event);
    this.books.runs.set(runId, run);
    const released = before.status === 'queued' && run.status !== 'queued';
    if (released || isChange(change)) this.books.apply(entry, change);
    if (released && entry.lease?.owner === run.instanceId) entry.lease = null;
    const now = this.books.clock.now();
    const overdue = entry.stored.nextRunAt !== null && entry.stored.nextRunAt <= now;
    const ends = !hasEnded(before.status) && hasEnded(run.status);
    if (ends && run.startedAt !== null && !entry.stored.recurring) {
      entry.stored = { ...entry.stored, deletedAt: run.finishedAt };
    }
    const wanted = ends || (released && (overdue || run.status === 'waiting'));
    const backlog = wanted && this.books.dueBy(now).length > 0;
    const waiting = wanted && [...this.books.runs.values()].some(({ status }) => status === 'waiting');
    return Promise.resolve({ run, changed: run !== before, backlog, waiting });
  }

  confirm(runId: string): Promise<Confirmation> {
    const run = this.books.runs.get(runId);
    if (run?.status !== 'queued') return Promise.resolve('gone');
    return Promise.resolve(this.books.closed(run) ? 'kept' : 'open');
  }

  giveBack(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) {
      const run = this.books.runs.get(runId);
      if (run?.status !== 'queued' || run.trigger !== 'scheduled') continue;
      this.books.runs.delete(runId);
      const entry = this.books.tasks.get(run.taskId);
      if (entry?.stored.status !== 'running') continue;
      this.books.apply(entry, { status: 'enabled', nextRunAt: run.scheduledFor });
      entry.lease = null;
    }
    return Promise.resolve();
  }

  nextDue(horizon: Date): Promise<NextDue> {
    const now = this.books.clock.now();
    const waiting = [...this.books.tasks.values()]
      .filter((entry) => this.books.claimable(entry) || this.books.comesFreeBefore(entry, now))
      .flatMap(({ stored: { id, nextRunAt } }) => (nextRunAt === null ? [] : [{ id, at: nextRunAt }]))
      .sort((a, b) => a.at.getTime() - b.at.getTime());
    const idle = waiting.find(({ id, at }) => at <= horizon && this.books.activeRun(id) === undefined);
    return Promise.resolve({ earliest: waiting[0]?.at ?? null, earliestIdle: idle?.at ?? null });
  }

  activeRuns(before: Date, afterId: string | null, limit: number): Promise<ActiveRun[]> {
    const active = [...this.books.runs.values()]
      .filter((run) => holdsPlace(run.status) && run.createdAt < before && (afterId === null || run.id > afterId))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return Promise.resolve(
      active.slice(0, limit).map((run) => ({ run, ownerAlive: this.books.isAlive(run.instanceId) })),
    );
  }

  backlog(now: Date): Promise<Backlog> {
    const tasks = [...this.books.tasks.values()].map((entry) => entry.stored);
    const due = tasks.flatMap(({ status, nextRunAt }) =>
      (status === 'enabled' || status === 'running') && nextRunAt !== null && nextRunAt <= now
        ? [nextRunAt.getTime()]
        : [],
    );
    return Promise.resolve({
      dueTasks: due.length,
      oldestDueAt: due.length === 0 ? null : new Date(Math.min(...due)),
      activeRuns: this.books.placesTaken(),
      tasksWithoutNextRun: tasks.filter(({ status, nextRunAt }) => status === 'enabled' && nextRunAt === null).length,
    });
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  private claimOne(owner: Owner, taskId: string, order: Omit<ClaimOrder, 'limit'>): ManualClaim {
    const entry = this.books.entry({ type: 'user', roles: [], ...owner }, taskId);
    if (entry === undefined) return { outcome: 'absent' };
    const task = restoreTask(entry.stored);
    const fresh = this.fresh(entry.stored, order, order.now);
    if (task.overlapPolicy === 'queue') {
      const own = this.books.waitingRun(taskId);
      if (own !== undefined) return { outcome: 'waiting', run: own };
      const ahead = this.books.waitingRuns().some(({ threadId }) => threadId === fresh.threadId);
      if (ahead || this.books.activeRun(taskId) !== undefined) {
        const run = this.keep(ScheduledRun.waiting({ ...fresh, trigger: 'manual' }));
        return { outcome: 'waiting', run };
      }
    }
    if (this.books.activeRun(taskId) !== undefined) return { outcome: 'active-run' };
    if (this.books.placesTaken() >= order.budget) return { outcome: 'budget-full' };
    const run = this.keep(ScheduledRun.queued({ ...fresh, trigger: 'manual' }));
    this.books.apply(entry, {});
    entry.lease = this.lease(order);
    return { outcome: 'claimed', task, run };
  }

  /** False: it stays as it was. */
  private claimEntry(entry: Entry, order: ClaimOrder, round: Round): boolean {
    const scheduledFor = entry.stored.nextRunAt ?? order.now;
    const fresh = { ...this.fresh(entry.stored, order, scheduledFor), trigger: 'scheduled' as const };
    const known = [...this.books.runs.values()].find(
      (run) => run.taskId === fresh.taskId && run.trigger === 'scheduled' && +run.scheduledFor === +scheduledFor,
    );
    try {
      const task = restoreTask(entry.stored);
      const decision = claim({ ...task.rule, nextRunAt: scheduledFor }, order.now);
      // What cannot start at its instant, as far as one can see, is left to the round that finds it due.
      if (scheduledFor > order.now && this.mustWait(task.id, fresh.threadId, decision.ifWaiting) !== 'free')
        return false;
      entry.lease = null;
      round.missed += decision.ifSkipped.missedBy ?? 0;
      if (known !== undefined) {
        this.books.apply(entry, afterAdoption(kindOf(task.scheduleType, task.rule.recurring), decision, known.status));
      } else if (decision.ifWaiting !== null && this.mustWait(task.id, fresh.threadId) === 'waits') {
        this.books.apply(entry, decision.ifWaiting);
        this.keep(ScheduledRun.waiting(fresh));
        round.waiting += 1;
      } else if (decision.ifQueued !== null && this.mustWait(task.id, fresh.threadId, decision.ifWaiting) === 'free') {
        this.books.apply(entry, decision.ifQueued);
        entry.lease = this.lease(order);
        round.claimed.push({ task, run: this.keep(ScheduledRun.queued(fresh)) });
      } else {
        this.books.apply(entry, decision.ifSkipped);
        this.keep(ScheduledRun.skipped(fresh, decision.skip));
        round.skipped += 1;
      }
    } catch (error) {
      if (!(error instanceof CorruptTaskError)) throw error;
      if (scheduledFor > order.now) return false;
      entry.lease = null;
      this.books.apply(entry, progressOfCorrupt(error));
      round.corrupt.push(fresh.taskId);
      if (known !== undefined) return true;
      const tombstone = { status: 'skipped', reason: 'corrupt', error: error.message, finishedAt: order.now } as const;
      this.keep(new ScheduledRun({ ...ScheduledRun.queued(fresh), ...tombstone }));
      round.skipped += 1;
    }
    return true;
  }

  /** Only who queues is asked for those who wait. */
  private mustWait(taskId: string, threadId: string, queues: unknown = true): 'free' | 'waits' | 'folded' {
    if (queues !== null && this.books.waitingRun(taskId) !== undefined) return 'folded';
    const ahead = queues !== null && this.books.waitingRuns().some((run) => run.threadId === threadId);
    return ahead || this.books.activeRun(taskId) !== undefined ? 'waits' : 'free';
  }

  private keep(run: ScheduledRun): ScheduledRun {
    this.books.runs.set(run.id, run);
    return run;
  }

  private lease({ instanceId, leaseSeconds }: Omit<ClaimOrder, 'limit'>): Entry['lease'] {
    return { owner: instanceId, expiresAt: new Date(this.books.clock.now().getTime() + leaseSeconds * 1_000) };
  }

  private fresh(task: StoredTask, { now, instanceId }: Omit<ClaimOrder, 'limit'>, scheduledFor: Date) {
    const bound = { contextMode: task.contextMode as 'reuse_thread', threadId: task.threadId };
    return {
      id: prefixedId(RUN_ID_PREFIX, this.ids),
      taskId: task.id,
      owner: task.owner,
      threadId: threadOf(bound, this.ids.uuid()),
      scheduledFor,
      instanceId,
      createdAt: now,
    };
  }
}

function readable(entry: Entry | undefined): ScheduledTask | null {
  try {
    return entry === undefined ? null : restoreTask(entry.stored);
  } catch (error) {
    if (!(error instanceof CorruptTaskError)) throw error;
    return null;
  }
}

function recorded(task: StoredTask): RecordedTask {
  const { lastRunAt, lastRunId, deletedAt } = task;
  return {
    scheduleType: kindOf(task.scheduleType as ScheduleType, task.recurring),
    overlapPolicy: task.overlapPolicy as 'skip',
    status: task.status as TaskStatus,
    ...{ lastRunAt, lastRunId, deletedAt },
  };
}
