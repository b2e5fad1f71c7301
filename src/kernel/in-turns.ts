// Kernel. Many at once would be one long turn of the event loop, in which nothing else moves.

/** In one turn: a few milliseconds of what each of them does next. */
const AT_ONCE = 250;

/** Calls `each` for all, in order, the first ones at once; between 250 and the next 250 whoever else has something to do. */
export async function inTurns<T>(all: readonly T[], each: (one: T, index: number) => void): Promise<void> {
  for (const [index, one] of all.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await new Promise((next) => setImmediate(next));
    each(one, index);
  }
}
