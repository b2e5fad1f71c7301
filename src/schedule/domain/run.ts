// Domain aggregate: the record of one firing of a task. Immutable; every method is a compare-and-set on the status
// (run-status.ts) and answers this very run when it came too late. What the same events do to the task: record.ts.
import type { Owner } from '../../kernel/actor';
import type { Skip } from './dispatch';
import type { LateReason } from './late-reason';
import type { Outcome, RunReason } from './outcome';
import { hasEnded, mayBecome } from './run-status';
import type { RunStatus } from './run-status';
import type { Trigger } from './status';
import { keptError } from './text-rule';

/** `task-run-` and 32 hexadecimal digits; opaque to everyone who reads it. */
export const RUN_ID_PREFIX = 'task-run-';

export interface RunFields {
  readonly id: string;
  readonly taskId: string;
  readonly owner: Owner;
  /** Chosen at the claim and used for row, launch and task alike, whatever thread a launcher reports. */
  readonly threadId: string;
  /** `null` until a launch is known to have made one. */
  readonly agentRunId: string | null;
  /** The planned instant, never the dispatch time; for a manual run, the instant it was asked for. */
  readonly scheduledFor: Date;
  readonly trigger: Trigger;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly error: string | null;
  readonly presumed: boolean;
  /** Why it was claimed late; null when it was not, or nobody knows. */
  readonly lateReason: LateReason | null;
  /** The process that owns the run. Its death is what recovery looks for. */
  readonly instanceId: string | null;
  readonly createdAt: Date;
  /** The instant just before the driver's start call. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export type NewRun = Pick<
  RunFields,
  'id' | 'taskId' | 'owner' | 'threadId' | 'scheduledFor' | 'trigger' | 'instanceId' | 'createdAt'
> &
  Partial<Pick<RunFields, 'lateReason'>>;

/** What is known of a launch. No agent run id: the launcher cannot tell whether one exists; the place stays taken. */
export interface Launch {
  readonly agentRunId: string | null;
  readonly startedAt: Date;
}

export class ScheduledRun implements RunFields {
  readonly id!: string;
  readonly taskId!: string;
  readonly owner!: Owner;
  readonly threadId!: string;
  readonly agentRunId!: string | null;
  readonly scheduledFor!: Date;
  readonly trigger!: Trigger;
  readonly status!: RunStatus;
  readonly reason!: RunReason | null;
  readonly error!: string | null;
  readonly presumed!: boolean;
  readonly lateReason!: LateReason | null;
  readonly instanceId!: string | null;
  readonly createdAt!: Date;
  readonly startedAt!: Date | null;
  readonly finishedAt!: Date | null;

  /** For storage: the fields are believed as they are. */
  constructor(fields: RunFields) {
    Object.assign(this, fields);
  }

  /** A claimed occurrence, or a manual trigger's run: it holds the task's active slot and a place of the budget. */
  static queued(fresh: NewRun): ScheduledRun {
    return new ScheduledRun({ ...UNSTARTED, ...fresh });
  }

  /** An occurrence of a task that queues: it holds neither slot nor place until its turn comes. */
  static waiting(fresh: NewRun): ScheduledRun {
    return new ScheduledRun({ ...UNSTARTED, ...fresh, status: 'waiting', lateReason: null });
  }

  /** A tombstone: born ended, the mark of an occurrence that did not start. It holds neither slot nor place. */
  static skipped(fresh: NewRun, skip: Skip): ScheduledRun {
    return new ScheduledRun({ ...UNSTARTED, ...fresh, status: 'skipped', ...skip, finishedAt: fresh.createdAt });
  }

  /**
   * The launch is known (or known to be unknown). Coming after the end, it fills in what the end could not know and
   * leaves status and error as they are.
   */
  launched(launch: Launch): ScheduledRun {
    if (mayBecome(this.status, 'running')) return this.with({ ...launch, status: 'running' });
    if (!hasEnded(this.status) || this.status === 'skipped') return this.found(launch.agentRunId);
    const agentRunId = this.agentRunId ?? launch.agentRunId;
    const startedAt = this.startedAt ?? launch.startedAt;
    if (agentRunId === this.agentRunId && startedAt === this.startedAt) return this;
    return this.with({ agentRunId, startedAt });
  }

  /** Reconciliation found the agent run of an unknown launch. */
  found(agentRunId: string | null): ScheduledRun {
    if (this.status !== 'running' || this.agentRunId !== null || agentRunId === null) return this;
    return this.with({ agentRunId });
  }

  /** Certainly no agent run exists: slot and place are free again. */
  failedToLaunch(reason: 'launch_failed' | 'thread_busy', error: string, at: Date): ScheduledRun {
    if (this.status !== 'queued') return this;
    return this.with({ status: 'failed', reason, error: keptError(error), finishedAt: at });
  }

  /** A claimed occurrence whose thread turned out busy. A manual run fails instead (`failedToLaunch`). */
  skippedAfterClaim(skip: Skip, at: Date): ScheduledRun {
    if (!mayBecome(this.status, 'skipped')) return this;
    return this.with({ status: 'skipped', ...skip, finishedAt: at });
  }

  /** Its thread was busy, and its task queues: the place is given back until the thread is idle. */
  sentToWait(): ScheduledRun {
    return this.status === 'queued' ? this.with({ status: 'waiting' }) : this;
  }

  /** Waited for nothing: too long, or its task can no longer be read. */
  gaveUpWaiting(reason: 'queue_timeout' | 'corrupt', error: string, at: Date): ScheduledRun {
    if (this.status !== 'waiting') return this;
    return this.with({ status: 'failed', reason, error: keptError(error), finishedAt: at });
  }

  /** The end. A second one changes nothing, except that a true one corrects a presumed one, once. */
  ended(outcome: Outcome, at: Date): ScheduledRun {
    if (!mayBecome(this.status, outcome.status) && !this.mayBeCorrectedBy(outcome)) return this;
    return this.with({ ...outcome, finishedAt: at });
  }

  /** A waiting run whose task was paused or deleted: it has not started and never will. */
  withdrawn(reason: Withdrawal, at: Date): ScheduledRun {
    if (this.status !== 'waiting') return this;
    return this.with({ status: 'interrupted', reason, error: WITHDRAWN[reason], finishedAt: at });
  }

  mayBeCorrectedBy(outcome: Outcome): boolean {
    return hasEnded(this.status) && this.presumed && !outcome.presumed;
  }

  /** Milliseconds from the planned instant to the start; `null` when it never started. */
  get latenessMs(): number | null {
    return this.startedAt === null ? null : this.startedAt.getTime() - this.scheduledFor.getTime();
  }

  private with(changes: Partial<RunFields>): ScheduledRun {
    return new ScheduledRun({ ...this, ...changes });
  }
}

export type Withdrawal = 'task_paused' | 'task_deleted';

/** What a waiting run says that its task's owner has taken back. */
export const WITHDRAWN: Readonly<Record<Withdrawal, string>> = {
  task_paused: 'Not started: the task was paused while it waited.',
  task_deleted: 'Not started: the task was deleted while it waited.',
};

const UNSTARTED = {
  agentRunId: null,
  status: 'queued',
  reason: null,
  error: null,
  presumed: false,
  lateReason: null,
  startedAt: null,
  finishedAt: null,
} as const;
