// Test support. What the in-memory storage of schedules keeps. The three fakes over it share one set of books, as their
// adapters share one database; a call is one transaction, since nothing in it waits.
import type { Actor } from '../../../src/kernel/actor';
import type { Clock } from '../../../src/kernel/clock';
import type { Lease } from '../../../src/schedule/domain/dispatch';
import { CLAIM_CLOSES_BEFORE_MS } from '../../../src/schedule/domain/look-ahead';
import { ScheduledRun, type Withdrawal } from '../../../src/schedule/domain/run';
import { ACTIVE_STATUSES, holdsPlace } from '../../../src/schedule/domain/run-status';
import { toWire } from '../../../src/schedule/domain/schedule-spec';
import { type StoredTask } from '../../../src/schedule/domain/stored-task';
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import { changed, type ProgressChange, type TaskProgress } from '../../../src/schedule/domain/task-progress';

export interface Entry {
  stored: StoredTask;
  lease: Lease | null;
}

export interface Instance {
  readonly heartbeatAt: Date;
  readonly stoppedAt: Date | null;
}

export class Books {
  readonly tasks = new Map<string, Entry>();
  readonly runs = new Map<string, ScheduledRun>();
  readonly instances = new Map<string, Instance>();

  /** `clock` is the clock of leases and heartbeats: horarium_now() of the real books. */
  constructor(readonly clock: Clock) {}

  /** As a person or the house sees it: nothing that is deleted, nothing of others. */
  entry(actor: Actor, taskId: string): Entry | undefined {
    const entry = this.tasks.get(taskId);
    return entry !== undefined && entry.stored.deletedAt === null && sees(actor, entry.stored.owner)
      ? entry
      : undefined;
  }

  activeRun(taskId: string): ScheduledRun | undefined {
    const active: readonly string[] = ACTIVE_STATUSES;
    return [...this.runs.values()].find((run) => run.taskId === taskId && active.includes(run.status));
  }

  /** The run of a claim that was made ahead of its instant, as long as it can be taken back. */
  openClaim({ id, status }: StoredTask): ScheduledRun | undefined {
    const run = status === 'running' ? this.activeRun(id) : undefined;
    return run?.status === 'queued' && run.trigger === 'scheduled' && !this.closed(run) ? run : undefined;
  }

  closed({ scheduledFor }: ScheduledRun): boolean {
    return scheduledFor.getTime() - this.clock.now().getTime() <= CLAIM_CLOSES_BEFORE_MS;
  }

  waitingRun(taskId: string): ScheduledRun | undefined {
    return this.waitingRuns().find((run) => run.taskId === taskId);
  }

  /** The oldest first. */
  waitingRuns(): ScheduledRun[] {
    const waiting = [...this.runs.values()].filter(({ status }) => status === 'waiting');
    return waiting.sort((a, b) => +a.createdAt - +b.createdAt || (a.id < b.id ? -1 : 1));
  }

  withdraw(taskId: string, reason: Withdrawal, at: Date): void {
    const run = this.waitingRun(taskId);
    if (run !== undefined) this.runs.set(run.id, run.withdrawn(reason, at));
  }

  rebind(taskId: string, threadId: string): void {
    const run = this.waitingRun(taskId);
    if (run !== undefined) this.runs.set(run.id, new ScheduledRun({ ...run, threadId }));
  }

  placesTaken(): number {
    return [...this.runs.values()].filter(({ status }) => holdsPlace(status)).length;
  }

  isAlive(instanceId: string | null): boolean {
    const instance = instanceId === null ? undefined : this.instances.get(instanceId);
    return instance?.stoppedAt === null;
  }

  /** Due rows are judged by the caller's clock, leases by this one's. */
  claimable({ stored: { status }, lease }: Entry): boolean {
    const live = lease !== null && lease.expiresAt >= this.clock.now();
    return !live && (status === 'enabled' || (status === 'running' && lease !== null));
  }

  /** In other hands now, but its instant is still to come. */
  comesFreeBefore({ stored: { status, nextRunAt }, lease }: Entry, now: Date): boolean {
    const waits = status === 'enabled' || status === 'running';
    return waits && lease !== null && nextRunAt !== null && nextRunAt > now;
  }

  dueBy(now: Date): Entry[] {
    const due = [...this.tasks.values()].filter(
      (entry) => entry.stored.nextRunAt !== null && entry.stored.nextRunAt <= now && this.claimable(entry),
    );
    return due.sort((a, b) => instant(a) - instant(b) || (a.stored.id < b.stored.id ? -1 : 1));
  }

  apply(entry: Entry, change: ProgressChange): void {
    const progress = changed(entry.stored as TaskProgress & StoredTask, change);
    entry.stored = { ...entry.stored, ...progress, version: entry.stored.version + 1 };
  }
}

export function sees(actor: Actor, owner: { readonly tenantId: number; readonly userId: string }): boolean {
  return actor.type === 'system' || (actor.tenantId === owner.tenantId && actor.userId === owner.userId);
}

export function stored({ rule, progress }: ScheduledTask): StoredTask {
  const { spec, ...columns } = rule;
  return {
    ...columns,
    ...progress,
    scheduleType: spec.type,
    scheduleSpec: toWire(spec),
    timezone: spec.zone.name,
  };
}

function instant({ stored: { nextRunAt } }: Entry): number {
  return nextRunAt?.getTime() ?? 0;
}
