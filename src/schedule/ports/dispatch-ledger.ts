// Port. The books of dispatching: who may start what, and what became of it. Everything that writes a run is here, since
// run and task must change together; reading the history is run-repository.ts.
import type { Owner } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Attention } from '../domain/late-reason';
import type { RunEvent } from '../domain/run-event';
import type { ScheduledRun } from '../domain/run';
import type { ScheduledTask } from '../domain/task';

export interface ClaimOrder {
  readonly now: Date;
  /** Tasks whose instant comes up to then are taken ahead of it; `now`, or absent: none. */
  readonly horizon?: Date;
  /** The process that claims; its runs are settled by others when it dies. */
  readonly instanceId: string;
  readonly leaseSeconds: number;
  /** The most runs queued or running at once, over all processes and all tasks. */
  readonly budget: number;
  /** The most tasks taken in this transaction. */
  readonly limit: number;
  /** How well the poller has been looking: late runs say why. */
  readonly attention?: Attention;
}

/** A run that holds a place now and wants to be launched. */
export interface ClaimedRun {
  readonly task: ScheduledTask;
  readonly run: ScheduledRun;
}

export interface Adoption {
  readonly claimed: readonly ClaimedRun[];
  /** Taken over too, but the task can no longer be read. */
  readonly unreadable: readonly { readonly runId: string; readonly error: string }[];
}

export interface ClaimedRound {
  readonly claimed: readonly ClaimedRun[];
  /** Tombstones written: overlap, too late. */
  readonly skipped: number;
  /** Occurrences that wait for their turn now. */
  readonly waiting: number;
  /** Occurrences collapsed into another one. */
  readonly missed: number;
  /** Due rows that made no task; they are marked failed and will not come again. */
  readonly corrupt: readonly string[];
  /** No place is left: what is still due waits for one. */
  readonly full: boolean;
  /** The limit was reached before the due tasks were: ask again at once. */
  readonly more: boolean;
}

export type ManualClaim =
  | { readonly outcome: 'claimed'; readonly task: ScheduledTask; readonly run: ScheduledRun }
  | { readonly outcome: 'absent' }
  /** Its task queues: this run waits for its turn, perhaps since before. */
  | { readonly outcome: 'waiting'; readonly run: ScheduledRun }
  | { readonly outcome: 'active-run' }
  | { readonly outcome: 'budget-full' };

/** Null where no such task is waiting. */
export interface NextDue {
  /** Of all of them. One in other hands counts while its instant is still to come. */
  readonly earliest: Date | null;
  /** Of those without an active run, which may be claimed ahead of it. */
  readonly earliestIdle: Date | null;
}

export type Confirmation = 'kept' | 'gone' | 'open';

/** The event's result as it stands in the books. */
export interface RecordedEvent {
  /** Null: there is no such run. */
  readonly run: ScheduledRun | null;
  /** The event changed the run: it was not a repetition, and did not come too late. */
  readonly changed: boolean;
  /** Some task is due at this moment, and what this event set free (a place, or that task) is wanted. */
  readonly backlog: boolean;
  /** Some run waits for its turn, and what this event set free may be it. */
  readonly waiting: boolean;
}

/** A run that waits for its turn. */
export interface WaitingRun {
  readonly run: ScheduledRun;
  /** Its task; null when that can no longer be read. */
  readonly task: ScheduledTask | null;
  /** Its task's own last run still works: not yet. */
  readonly blocked: boolean;
}

/** An active run, for recovery. */
export interface ActiveRun {
  readonly run: ScheduledRun;
  /** The process that owns it still gives signs of life. */
  readonly ownerAlive: boolean;
}

export interface Backlog {
  readonly dueTasks: number;
  readonly oldestDueAt: Date | null;
  readonly activeRuns: number;
  /** Enabled, yet with no next instant: an alarm. */
  readonly tasksWithoutNextRun: number;
}

export interface DispatchLedger {
  /**
   * Takes due tasks, in the order of their instants and ids, as long as places are free. In one transaction: the budget
   * is counted and taken exactly, whatever other processes do; each taken task gets the row of its occurrence (queued, or
   * waiting where its task queues, skipped where an active run holds the slot or it is too late), at most one for each
   * (task, instant), and its next instant. A task with a live lease is left alone; one whose lease ran out is taken over. Ahead of its instant a task is
   * taken only while it has no active run: one that is still at work may have ended by then.
   */
  claimDue(order: ClaimOrder): Promise<ClaimedRound>;

  /**
   * Takes one task for a run by hand, in any state, under the same locks: a queued run, or nothing at all where the task
   * is absent or another's, has an active run, or no place is free. A task that queues gets a run that waits instead; where
   * one waits already, that one is the answer.
   */
  claimManual(
    owner: Owner,
    taskId: string,
    order: Omit<ClaimOrder, 'limit' | 'attention' | 'horizon'>,
  ): Promise<ManualClaim>;

  /** Runs that wait, the oldest first. */
  waitingRuns(limit: number): Promise<WaitingRun[]>;

  /**
   * Gives runs that wait their turn: as many as places are free, in this order, each once whatever other processes do. Left
   * out is one that does not wait any more, or whose task has an active run. They want to be launched now.
   */
  promote(runIds: readonly string[], order: Omit<ClaimOrder, 'limit' | 'attention'>): Promise<ClaimedRun[]>;

  /**
   * Takes over queued runs for a launch under the same id: those of processes that are gone, and those of `instanceId`
   * itself. A run that another living process owns, or took first, is missing from the answer.
   */
  adopt(runIds: readonly string[], instanceId: string): Promise<Adoption>;

  /**
   * Writes what happened to a run, and what it means for its task. Repetitions and late comers change nothing that the
   * domain does not let them change. Events of many runs are written together.
   */
  record(runId: string, event: RunEvent): Promise<RecordedEvent>;

  /**
   * Whether a run that was claimed ahead is still to be started: `kept`, and from now on no edit takes it back; `gone`, an
   * edit has; `open`, it is too early to say. Questions about many runs are asked together.
   */
  confirm(runId: string): Promise<Confirmation>;

  /**
   * Undoes claims of runs that were not launched: the runs vanish, and their tasks are due as they were. Only for whoever
   * would have launched them.
   */
  giveBack(runIds: readonly string[]): Promise<void>;

  /** The next instants of tasks that may be claimed, or will be by then; of idle ones up to `horizon`. */
  nextDue(horizon: Date): Promise<NextDue>;

  /** Active runs created before `before`, by id, beginning after `afterId`. */
  activeRuns(before: Date, afterId: string | null, limit: number): Promise<ActiveRun[]>;

  /** Counts for metrics and health. */
  backlog(now: Date): Promise<Backlog>;

  /** Waits until every event handed in so far is written, or has failed. */
  drain(): Promise<void>;
}

export const DispatchLedger = token<DispatchLedger>('DispatchLedger');
