// Benchmarks. From samples to the figures that are printed.

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Of the values of several rounds. */
export function spread(values: readonly number[]): Spread {
  const sorted = ascending(values);
  return { median: rounded(quantile(sorted, 0.5)), min: rounded(sorted[0] ?? NaN), max: rounded(sorted.at(-1) ?? NaN) };
}

export interface Latency {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function latency(values: readonly number[]): Latency {
  const sorted = ascending(values);
  const [p50, p99, max] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? NaN].map(rounded);
  return { samples: sorted.length, p50: p50!, p99: p99!, max: max! };
}

/** Round by round, since the machine differs from minute to minute. */
export function ratios(values: readonly number[], to: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (to[round] ?? NaN)));
}

export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Nearest rank. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN;
}
