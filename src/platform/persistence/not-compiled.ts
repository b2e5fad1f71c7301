// Platform, persistence. No statement of the house is compiled. Before PostgreSQL 18 a plan that has to do what the planner was
// told to avoid is taken to cost ten thousand millions: just-in-time compilation, on by default, then spends a second on a
// statement of a millisecond.

/** Server settings of every transaction and of the house's own line. */
export const NOT_COMPILED = { jit: 'off' } as const;
