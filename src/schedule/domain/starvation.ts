// Domain rule: when a budget that is full is worth a word. A burst that drains within a minute is what a budget is for.
import type { Attention } from './late-reason';

const STARVED_AFTER_MS = 60_000;
/** While it lasts, people hear of it so often. */
const TOLD_AGAIN_MS = 3_600_000;

export interface Starvation {
  readonly now: Date;
  readonly dueBefore: Date;
  readonly notToldSince: Date;
}

/** Null: it is not starved, or was looked at a moment ago. */
export function starvation({ fullSince }: Attention, lookedAt: Date | null, now: Date): Starvation | null {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  if (fullSince === null || fullSince > before(STARVED_AFTER_MS)) return null;
  if (lookedAt !== null && lookedAt > before(STARVED_AFTER_MS)) return null;
  return { now, dueBefore: before(STARVED_AFTER_MS), notToldSince: before(TOLD_AGAIN_MS) };
}
