// Domain. How an agent run can end, and what is kept of what the agent said.
import type { Usage } from './usage';

/** The states of a run that is over. */
export const ENDED = ['success', 'error', 'timeout', 'interrupted'] as const;
export type EndStatus = (typeof ENDED)[number];

/** Failures that somebody can do something about: the house itself (try again later), or a person (answer). */
export const END_REASONS = ['rate_limited', 'input_needed'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The beginning of what a program wrote to one of its outputs. */
export interface CapturedText {
  readonly text: string;
  /** Bytes that came after the limit and were not kept. */
  readonly droppedBytes: number;
}

export const NOTHING_CAPTURED: CapturedText = { text: '', droppedBytes: 0 };

/** How a run ended, as its driver tells it. */
export interface RunEnd {
  readonly status: EndStatus;
  /** Nobody saw it: it was concluded from a silence, and the true end may correct it. */
  readonly presumed?: boolean;
  /** One sentence for the person who asked; null on success. */
  readonly error: string | null;
  readonly reason: EndReason | null;
  /** With `rate_limited`: when it is worth trying again. Null: not known, or not at all. */
  readonly retryAt: Date | null;
  /** Only programs have one. */
  readonly exitCode: number | null;
  readonly output: CapturedText;
  readonly errorOutput: CapturedText;
  /** The answer, where the agent tells it apart from what it printed on the way. Null: the output is the answer. */
  readonly result: string | null;
  readonly usage: Usage | null;
  /** The agent's own name for the conversation on this thread; the next run is told it (Launch.agentSession). */
  readonly agentSession: string | null;
}

/** The end of a run of which nothing is known but what `more` says. */
export function bareEnd(status: EndStatus, error: string | null, more: Partial<RunEnd> = {}): RunEnd {
  return {
    status,
    error,
    reason: null,
    retryAt: null,
    exitCode: null,
    output: NOTHING_CAPTURED,
    errorOutput: NOTHING_CAPTURED,
    result: null,
    usage: null,
    agentSession: null,
    ...more,
  };
}

export function unspoken(end: RunEnd): RunEnd {
  const nothingOf = ({ text, droppedBytes }: CapturedText): CapturedText => ({
    text: '',
    droppedBytes: droppedBytes + new TextEncoder().encode(text).length,
  });
  return { ...end, output: nothingOf(end.output), errorOutput: nothingOf(end.errorOutput), result: null };
}

/** What the agent answered: what is said on the thread. */
export function answerOf({ result, output }: RunEnd): string {
  return result ?? output.text;
}

/** What is known of a run where it is executed. */
export type DriverStatus =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly end: RunEnd }
  /** There is no such run: it was never started, or it is forgotten. */
  | { readonly state: 'unknown' };

/** The other runs of a turn end as it ends; what was said, and what it cost, is told once. */
export function saidByHead(end: RunEnd): RunEnd {
  return { ...end, output: NOTHING_CAPTURED, errorOutput: NOTHING_CAPTURED, result: null, usage: null };
}
