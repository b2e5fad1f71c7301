// Test support. The ports that only tell somebody something: what they were told.
import type { BackgroundLog } from '../../../src/schedule/ports/background-log';
import type { DispatchMetrics, DispatchOutcome } from '../../../src/schedule/ports/dispatch-metrics';
import type { StarvationNotices } from '../../../src/schedule/ports/starvation-notices';
import type { PollerWake } from '../../../src/schedule/ports/poller-wake';

export class RecordedLog implements BackgroundLog {
  readonly warnings: string[] = [];
  readonly errors: string[] = [];

  warn(message: string): void {
    this.warnings.push(message);
  }

  error(message: string): void {
    this.errors.push(message);
  }
}

export class RecordedMetrics implements DispatchMetrics {
  readonly outcomes: Partial<Record<DispatchOutcome, number>> = {};
  readonly lateness: number[] = [];
  missedCount = 0;

  dispatched(outcome: DispatchOutcome, count = 1): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count;
  }

  missed(count: number): void {
    this.missedCount += count;
  }

  started(latenessSeconds: number): void {
    this.lateness.push(latenessSeconds);
  }
}

export class CountedWakes implements PollerWake {
  count = 0;
  /** How often those that wait were to be looked after. */
  waitingCount = 0;
  private waiting: (() => void)[] = [];

  wake(): void {
    this.count += 1;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  wakeWaiting(): void {
    this.waitingCount += 1;
  }

  /** Resolves at the next wake. */
  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

export class NotedStarvation implements StarvationNotices {
  readonly orders: Parameters<StarvationNotices['tell']>[0][] = [];

  tell(order: Parameters<StarvationNotices['tell']>[0]): Promise<number> {
    this.orders.push(order);
    return Promise.resolve(0);
  }
}
