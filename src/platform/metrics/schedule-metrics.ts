// Platform, metrics. What becomes of occurrences. Shaped as schedule's own port asks for it; its module binds it.
import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from './metrics';

export const DISPATCH_OUTCOMES = ['launched', 'skipped', 'conflict', 'failed', 'unknown'] as const;
export type DispatchOutcome = (typeof DISPATCH_OUTCOMES)[number];

/** 5 ms, where the hot path lies, to 1 h, which is an outage. */
export const LATENESS_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800, 3_600,
];

export class ScheduleMetrics {
  private readonly latenesses: Histogram;
  private readonly outcomes: Counter<'outcome'>;
  private readonly misses: Counter;

  constructor(metrics: Metrics) {
    this.latenesses = metrics.histogram(
      'horarium_run_lateness_seconds',
      'From the planned instant of an occurrence to the start of its run.',
      LATENESS_BUCKETS,
    );
    this.outcomes = metrics.counter('horarium_dispatches_total', 'What became of dispatched occurrences.', 'outcome');
    this.misses = metrics.counter(
      'horarium_missed_occurrences_total',
      'Occurrences that passed without a run, counted on their task.',
    );
    // From the first scrape on, so that a rate can be computed and an alarm does not wait for the first failure.
    for (const outcome of DISPATCH_OUTCOMES) this.outcomes.inc({ outcome }, 0);
  }

  /** A run of a planned occurrence started this long after its instant. */
  started(latenessSeconds: number): void {
    this.latenesses.observe(Math.max(0, latenessSeconds));
  }

  dispatched(outcome: DispatchOutcome, count = 1): void {
    this.outcomes.inc({ outcome }, count);
  }

  missed(count: number): void {
    this.misses.inc(count);
  }
}
