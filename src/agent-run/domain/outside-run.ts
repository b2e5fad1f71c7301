// Domain. A run in the hands of an agent outside of this house: what it learns of the run, and how long it has it.
import type { Owner } from '../../kernel/actor';

/** Whose runs somebody may fetch. `userId` null: everybody's of the tenant. */
export interface ClaimScope {
  readonly tenantId: number;
  readonly userId: string | null;
}

export interface ClaimedRun {
  readonly agentRunId: string;
  /** Proves from now on that this run is the caller's; only its hash is kept. */
  readonly token: string;
  readonly requestId: string;
  readonly owner: Owner;
  readonly assistantId: string;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly workingFolder: string | null;
  readonly agentSession: string | null;
  readonly leaseExpiresAt: Date;
  readonly giveUpAt: Date;
  /** 1, or 2 when an agent before has lost it. */
  readonly attempt: number;
}

export interface Renewal {
  readonly leaseExpiresAt: Date | null;
  readonly giveUpAt: Date;
  /** Somebody wants the run to end: the agent should stop, and report. */
  readonly cancelled: string | null;
}

/** What proves that a run is somebody's: its token, and in whose hands it works where it was bound to one. */
export function tokenOf(token: string, boundTo: string | undefined): string {
  // No token of ours holds a blank: nothing that can be sent alone looks like a bound one.
  return boundTo === undefined ? token : `${token} ${boundTo}`;
}
