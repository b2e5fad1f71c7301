// Domain. A run in the hands of an agent: what the agent learns of it, and what it tells of its end.

export interface FetchedWork {
  readonly runId: string;
  /** Proves, in the hands of this agent only, that the run is its. */
  readonly token: string;
  /** The same for every attempt. */
  readonly requestId: string;
  readonly assistantId: string;
  readonly tenantId: number;
  readonly userId: string;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly workingFolder: string | null;
  readonly agentSession: string | null;
  readonly leaseExpiresAt: Date;
  readonly giveUpAt: Date;
  readonly attempt: number;
}

export interface WorkRenewal {
  readonly leaseExpiresAt: Date | null;
  readonly giveUpAt: Date;
  /** Somebody wants the run to end: the agent should stop, and report. */
  readonly cancelled: string | null;
}

export const WORK_STATUSES = ['success', 'error', 'timeout', 'interrupted'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

export const WORK_REASONS = ['rate_limited', 'input_needed'] as const;

export interface SaidText {
  readonly text: string;
  /** Bytes that were written and not kept. */
  readonly droppedBytes: number;
}

export interface WorkEnd {
  readonly status: WorkStatus;
  readonly error: string | null;
  readonly reason: (typeof WORK_REASONS)[number] | null;
  readonly retryAt: Date | null;
  readonly exitCode: number | null;
  readonly output: SaidText;
  readonly errorOutput: SaidText;
  /** The answer, where it is told apart from the output. */
  readonly result: string | null;
  readonly usage: Readonly<Record<'inputTokens' | 'outputTokens' | 'totalTokens' | 'costUsd', number | null>> | null;
  readonly agentSession: string | null;
}

/** It may become an argument of a program, on another machine: an option it must not be. */
export function sessionName(text: string | null): string | null {
  return text !== null && text.length <= 512 && /^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(text) ? text : null;
}
