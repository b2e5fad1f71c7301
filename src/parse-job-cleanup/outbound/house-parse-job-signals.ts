// Outbound adapter. The wake channel, the log and the metrics of this house.
import { Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/metrics';
import type { WakeChannel } from '../../platform/persistence/wake-channel';
import type { ParseJobSignals } from '../ports/parse-job-signals';

/** The row of the timetable that parses. */
export const PARSE_JOB_WORKER = 'parse-job-worker';

export class HouseParseJobSignals implements ParseJobSignals {
  private readonly logger = new Logger('ParseJobCleanup');
  private readonly deletions: Counter;
  private readonly purges: Counter;

  constructor(
    private readonly wakes: WakeChannel,
    metrics: Metrics,
  ) {
    this.deletions = metrics.counter(
      'horarium_parse_jobs_deleted_total',
      'Parse jobs that the clean-up deleted softly.',
    );
    this.purges = metrics.counter('horarium_parse_jobs_purged_total', 'Deleted parse jobs that were removed for good.');
  }

  submitted(): void {
    void this.wakes.notify(PARSE_JOB_WORKER);
  }

  swept(deleted: number, purged: number): void {
    this.deletions.inc(deleted);
    this.purges.inc(purged);
    this.logger.log(`${deleted} parse jobs deleted, ${purged} removed for good`);
  }
}
