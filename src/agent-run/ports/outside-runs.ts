// Port. Runs that agents outside of this house execute: some fetch their work, some were handed it and report later. What they
// tell is kept here until the process that holds the run has taken it over as the run's end.
import { token } from '../../kernel/token';
import type { Owner } from '../../kernel/actor';
import type { ClaimedRun, ClaimScope, Renewal } from '../domain/outside-run';
import type { DriverStatus, RunEnd } from '../domain/run-end';

/** `pull`: waits to be fetched. `handed-over`: an agent has it already. */
export type OutsideKind = 'pull' | 'handed-over';

export interface OutsideOffer {
  readonly agentRunId: string;
  readonly requestId: string;
  readonly owner: Owner;
  readonly assistantId: string;
  readonly kind: OutsideKind;
  /** How long a fetched run stays with its agent without a sign of life. Null: it need not give any. */
  readonly leaseSeconds: number | null;
  /** How long it waits to be fetched. */
  readonly claimTimeoutSeconds: number;
  /** How long the agent may work, from when it has the run. */
  readonly timeoutSeconds: number;
}

export interface OutsideRuns {
  /**
   * Puts a run out; again it changes nothing, unless it was reported meanwhile and is tried anew. Answers the token of a run that
   * is handed over, else null.
   */
  offer(offer: OutsideOffer): Promise<string | null>;
  /**
   * The oldest waiting run of these assistants, for nobody else: of all who ask at once, one gets it. Null: none waits. It is
   * the caller's until its lease is over, then it waits again, once; the second loss is its end. What proves it from then on
   * is `tokenOf(token, boundTo)`.
   */
  claim(
    scope: ClaimScope,
    assistantIds: readonly string[],
    claimedBy: string,
    boundTo?: string,
  ): Promise<ClaimedRun | null>;
  /** Gives a run back that was fetched, and of which nobody has heard: it waits as before. */
  release(agentRunId: string, token: string): Promise<void>;
  /** Null: the run is not the token's (any more). */
  renew(agentRunId: string, token: string): Promise<Renewal | null>;
  /** Keeps what the agent tells as the run's end. False: the run is not the token's (any more); the first report counts. */
  report(agentRunId: string, token: string, end: RunEnd): Promise<boolean>;
  /** Ends a run: at once when no agent has it or none would hear of it, otherwise as soon as its agent says so. */
  cancel(requestId: string, reason: string): Promise<void>;
  /** Ends a run because of something that the house itself has found out. */
  fail(agentRunId: string, end: RunEnd): Promise<void>;
  /** Takes a run back that certainly nobody has. */
  withdraw(agentRunId: string): Promise<void>;
  state(requestId: string): Promise<DriverStatus>;
  /** The run's end, as soon as there is one. Whoever follows also sees to it that leases and deadlines are kept. */
  ended(agentRunId: string): Promise<RunEnd>;
  /** Calls `onOffer` whenever there may be something to claim. Answers how to stop. */
  whenOffered(onOffer: () => void): () => void;
  /** Follows nothing any more; those that go on are followed by another process from then on. */
  stop(): Promise<void>;
}

export const OutsideRuns = token<OutsideRuns>('OutsideRuns');
