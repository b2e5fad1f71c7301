// Domain. What a run has used up, as far as its agent says so. How long it took is known without the agent.

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Also where an agent tells only the sum. */
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
}

/** Of several runs; zero where none of them says anything. */
export interface UsageSum {
  /** How many runs say anything of it. */
  readonly reported: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly costUsd: number;
}

const NOTHING: Usage = { inputTokens: null, outputTokens: null, totalTokens: null, costUsd: null };

/** Null when nothing is said. The sum is made where only its parts are told. */
export function usage(told: Partial<Usage>): Usage | null {
  const inputTokens = count(told.inputTokens);
  const outputTokens = count(told.outputTokens);
  const parts = inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  const totalTokens = count(told.totalTokens) ?? parts;
  const costUsd = amount(told.costUsd);
  if (totalTokens === null && costUsd === null) return null;
  return { ...NOTHING, inputTokens, outputTokens, totalTokens, costUsd };
}

/** What agents write is not trusted: a number that cannot be a count of tokens is none. */
function count(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function amount(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e9 ? value : null;
}
