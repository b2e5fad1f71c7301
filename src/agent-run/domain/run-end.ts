// Domain. How an agent run can end, and what is kept of what the agent said.

/** The states of a run that is over. */
export const ENDED = ['success', 'error', 'timeout', 'interrupted'] as const;
export type EndStatus = (typeof ENDED)[number];

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
  /** One sentence for the person who asked; null on success. */
  readonly error: string | null;
  /** Only programs have one. */
  readonly exitCode: number | null;
  readonly output: CapturedText;
  readonly errorOutput: CapturedText;
}

/** The end of a run of which nothing but the reason is known. */
export function bareEnd(status: EndStatus, error: string): RunEnd {
  return { status, error, exitCode: null, output: NOTHING_CAPTURED, errorOutput: NOTHING_CAPTURED };
}
