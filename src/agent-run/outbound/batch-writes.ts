// Outbound. How a batch of independent writes shares one statement without sharing its faults.
import type { DomainError } from '../../kernel/domain-error';
import { isUnavailable, sqlState } from '../../platform/persistence/sql-errors';

export type Outcome<O> = { readonly done: O } | { readonly failed: unknown };

const DEADLOCK = '40P01';

/**
 * Writes all items at once. When that fails for a reason that lies in the items (one of them cannot be stored), each is
 * tried alone, so that one bad item does not take a hundred good ones with it.
 */
export async function togetherOrAlone<I, O>(
  items: readonly I[],
  write: (items: readonly I[]) => Promise<readonly O[]>,
): Promise<Outcome<O>[]> {
  try {
    return (await twiceIfDeadlocked(() => write(items))).map((done) => ({ done }));
  } catch (error) {
    if (items.length === 1 || isUnavailable(error)) return items.map(() => ({ failed: error }));
    const outcomes: Outcome<O>[] = [];
    for (const item of items) outcomes.push(...(await togetherOrAlone([item], write)));
    return outcomes;
  }
}

/** Two processes may meet on the same rows in opposite order; the loser's transaction left nothing behind. */
async function twiceIfDeadlocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== DEADLOCK) throw error;
    return work();
  }
}

export function doneOrThrow<O>(outcome: Outcome<O>): O {
  if ('done' in outcome) return outcome.done;
  throw outcome.failed as DomainError;
}

/** Runs of items whose sizes stay below `most` together: one statement must not carry hundreds of megabytes. */
export function bySize<I>(items: readonly I[], sizeOf: (item: I) => number, most: number): I[][] {
  const parts: I[][] = [];
  let size = most + 1;
  for (const item of items) {
    size += sizeOf(item);
    if (size > most) {
      parts.push([]);
      size = sizeOf(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}
