// Platform, metrics. The ticks of the timetable.
import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class TickMetrics {
  private readonly durations: Histogram<'row'>;
  private readonly failures: Counter<'row'>;

  constructor(metrics: Metrics) {
    this.durations = metrics.histogram(
      'horarium_tick_duration_seconds',
      'Ticks of the timetable, good and bad.',
      BUCKETS,
      'row',
    );
    this.failures = metrics.counter('horarium_tick_failures_total', 'Ticks of the timetable that failed.', 'row');
  }

  /** Makes the series of a row appear before its first tick and its first failure. */
  announce(row: string): void {
    this.failures.inc({ row }, 0);
  }

  ended(row: string, durationMs: number, failed: boolean): void {
    this.durations.observe({ row }, durationMs / 1_000);
    if (failed) this.failures.inc({ row });
  }
}
