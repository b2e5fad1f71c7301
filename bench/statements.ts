// Benchmarks. What was asked of a database, as pg_stat_statements counts it. Read from the database `postgres`, so that
// the reading itself is not counted.
import type { ScratchDatabase, ScratchServer } from './scratch-server';

export interface StatementCount {
  readonly calls: number;
  readonly ms: number;
  /** Of the quickest call since the server was started. */
  readonly quickestMs: number;
  readonly rows: number;
}

export type StatementCounts = ReadonlyMap<string, StatementCount>;

export async function statementCounts({ admin }: ScratchServer, { name }: ScratchDatabase): Promise<StatementCounts> {
  const { rows } = await admin.query<StatementCount & { query: string }>(
    `select query, sum(calls)::double precision as calls, sum(total_exec_time + total_plan_time) as ms,
            min(min_exec_time) as "quickestMs",
            sum(rows)::double precision as rows
       from pg_stat_statements where dbid = (select oid from pg_database where datname = $1) group by query`,
    [name],
  );
  return new Map(rows.map(({ query, ...count }) => [query, count]));
}

export function totalCalls(counts: StatementCounts): number {
  return [...counts.values()].reduce((sum, { calls }) => sum + calls, 0);
}

/** What came since `before`, the costliest first. */
export function since(before: StatementCounts, after: StatementCounts): (StatementCount & { query: string })[] {
  return [...after]
    .map(([query, { calls, ms, quickestMs, rows }]) => {
      const old = before.get(query);
      return {
        calls: calls - (old?.calls ?? 0),
        ms: Math.round((ms - (old?.ms ?? 0)) * 10) / 10,
        quickestMs: Math.round(quickestMs * 10) / 10,
        rows: rows - (old?.rows ?? 0),
        query: query.replace(/\s+/g, ' ').trim().slice(0, 90),
      };
    })
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.ms - a.ms);
}
