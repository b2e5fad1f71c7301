// Outbound adapter. The wake channel, the log and the metrics of this house.
import { Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/metrics';
import type { WakeChannel } from '../../platform/persistence/wake-channel';
import type { ClassificationSignals } from '../ports/classification-signals';

export class HouseClassificationSignals implements ClassificationSignals {
  private readonly logger = new Logger('EvidenceClassification');
  private readonly ends: Counter<'status' | 'reason'>;

  constructor(
    private readonly wakes: WakeChannel,
    metrics: Metrics,
  ) {
    this.ends = metrics.counter(
      'horarium_classification_runs_total',
      'Classification runs that have ended.',
      'status',
      'reason',
    );
  }

  queued(): void {
    void this.wakes.notify('classification-worker');
  }

  ended(status: string, reason: string | null): void {
    this.ends.inc({ status, reason: reason ?? '' });
  }

  trouble(message: string, cause: unknown): void {
    this.logger.warn({ err: cause }, message);
  }
}
