// Port. Where agent runs are kept, with what was said in them.
import { token } from '../../kernel/token';
import type { Actor } from '../../kernel/actor';
import type { UsageSum } from '../domain/usage';
import type { AgentRun } from '../domain/agent-run';

export type Opening =
  | { readonly outcome: 'opened' }
  /** Another run is active on the thread, or waits for it. */
  | { readonly outcome: 'busy' }
  /** Stored, and waits for its thread. */
  | { readonly outcome: 'queued' }
  /** This request id has its run already. */
  | { readonly outcome: 'known'; readonly run: AgentRun }
  /** The thread does not exist and was not to be created, or is somebody else's. */
  | { readonly outcome: 'no-thread' };

export interface OpenOptions {
  /** Where the thread is busy: stored all the same, to wait for it. */
  readonly enqueue?: boolean;
  /** Further prompts of the same turn (`turnOf` is this run): opened with it, or not at all. */
  readonly together?: readonly AgentRun[];
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Named processes; whoever is dead, and one more; or all, where there can be no other than the one that asks. */
export type Holders = ReadonlySet<string> | { readonly deadOr: string } | 'all';

export interface AgentRunRepository {
  /**
   * Stores a new run, with its prompt as the thread's next message, and its thread when that is to be created. Whether
   * the thread is free is decided in the same statement: of two that ask at once, one is opened and one is busy. While the
   * database is away this waits, for half a minute.
   */
  open(actor: Actor, run: AgentRun, createThread: boolean, options?: OpenOptions): Promise<Opening>;
  /** From `starting` to `running`. A run that has gone on since stays as it is. */
  recordStart(run: AgentRun): Promise<void>;
  /**
   * Stores the end, what the agent said as the thread's next message, and what it calls the conversation. False when the
   * run had ended before: the first end counts, except that a true one corrects a presumed one. While the database is away
   * this waits; an end is not lost as long as the process lives.
   */
  recordEnd(run: AgentRun): Promise<boolean>;
  /** The turn (its head first) waits until `retryAt`, in no process's hands. False: its head has ended meanwhile. */
  recordRetry(turn: readonly AgentRun[], retryAt: Date): Promise<boolean>;
  /**
   * Hands waiting turns whose moment has come, or that somebody wished to end, to this process and to no other, each with its
   * head first; and tells when the next one is due.
   */
  takeRetries(instanceId: string, now: Date): Promise<{ readonly due: AgentRun[][]; readonly nextAt: Date | null }>;
  /** Notes the wish to cancel on a run that is open. The first moment stays. */
  recordCancelRequest(actor: Actor, agentRunId: string, now: Date): Promise<void>;
  /** Takes back a run that has never started, as though it had not been opened: its request may come again. */
  withdraw(run: AgentRun): Promise<void>;
  /** Null also for somebody else's. */
  find(actor: Actor, agentRunId: string): Promise<AgentRun | null>;
  /** Those that exist, in no order. */
  byRequestIds(actor: Actor, requestIds: readonly string[]): Promise<AgentRun[]>;
  /** Over the runs that the actor may see, were launched with (at least) this metadata, and say what they used. */
  sumUsage(actor: Actor, metadata: Readonly<Record<string, string>>): Promise<UsageSum>;
  /** Newest first, without what was said (`end` holds no texts). */
  ofThread(actor: Actor, threadId: string, page: Page): Promise<AgentRun[]>;
  /** Runs `starting` or `running` that these processes hold; without what was said. */
  heldBy(holders: Holders): Promise<AgentRun[]>;
  /** Gives a dead process's run to another one: to the first that asks. Null: it is over, or somebody else's by now. */
  takeOver(run: AgentRun, instanceId: string): Promise<AgentRun | null>;
  /** Of the open runs that this process holds those that somebody wished to end; without what was said. */
  cancelRequested(instanceId: string): Promise<AgentRun[]>;
  /** Which of these threads have a run at work, or one that waits. */
  busyThreads(actor: Actor, threadIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Threads that runs wait for, the longest wait first. */
  queuedThreads(limit: number): Promise<string[]>;
  /** Runs that have waited since before `instant`. */
  queuedBefore(instant: Date, limit: number): Promise<AgentRun[]>;
  /**
   * Gives what waits for a thread its turn, when the thread is idle: the first in line, and those behind it for the same
   * assistant and folder as parts of its turn, in order. Each gets it once, whatever other processes do.
   */
  promote(threadId: string, instanceId: string): Promise<AgentRun[]>;
  /** Takes a turn back that has not begun. */
  requeue(runs: readonly AgentRun[]): Promise<void>;
  /** Resolves when everything handed over so far is stored. */
  drain(): Promise<void>;
}

export const AgentRunRepository = token<AgentRunRepository>('AgentRunRepository');
