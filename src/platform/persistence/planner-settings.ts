// Platform, persistence. What the planner is told, beyond what statistics say.

/**
 * Of every transaction and of the house's own line: no statement is compiled. Before PostgreSQL 18 a plan that has to do what
 * it was told to avoid is taken to cost ten thousand millions: just-in-time compilation, on by default, then spends a second
 * on a statement of a millisecond.
 */
export const NOT_COMPILED = { jit: 'off' } as const;

/** For a statement that reads the first of an index: walk it in order, whatever statistics say. */
export const WALK_INDEXES = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' } as const;
