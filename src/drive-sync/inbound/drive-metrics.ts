// Inbound. The queue's figures for Prometheus.
import type { Counter, Histogram } from 'prom-client';
import { systemActor } from '../../kernel/actor';
import type { Metrics } from '../../platform/metrics/metrics';
import { JOB_TYPES } from '../domain/job';

const GAUGES = {
  pending: { name: 'horarium_drive_jobs_pending', help: 'Drive jobs that wait, those of disconnected tenants too.' },
  working: { name: 'horarium_drive_jobs_in_progress', help: 'Drive jobs that are worked on.' },
  failed: { name: 'horarium_drive_jobs_failed', help: 'Drive jobs that failed and are kept.' },
};

export interface JobCounter {
  counts(
    actor: ReturnType<typeof systemActor>,
  ): Promise<Readonly<Record<'PENDING' | 'IN_PROGRESS' | 'FAILED', number>>>;
}

export class DriveMetrics {
  private readonly waits: Histogram;
  private readonly ends: Counter<'type' | 'status'>;

  constructor(metrics: Metrics) {
    this.waits = metrics.histogram(
      'horarium_drive_job_wait_seconds',
      'From the moment a Drive job may start to its start.',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    );
    this.ends = metrics.counter('horarium_drive_jobs_total', 'What became of tries of Drive jobs.', 'type', 'status');
    for (const type of JOB_TYPES) this.ends.inc({ type, status: 'SUCCESS' }, 0);
  }

  started(waitedSeconds: number): void {
    this.waits.observe(Math.max(0, waitedSeconds));
  }

  ended(type: string, status: string): void {
    this.ends.inc({ type: (JOB_TYPES as readonly string[]).includes(type) ? type : 'other', status });
  }
}

export function contributeJobs(metrics: Metrics, jobs: JobCounter): void {
  metrics.contribute('drive-sync', GAUGES, async () => {
    const counts = await jobs.counts(systemActor('drive: metrics'));
    return { pending: counts.PENDING, working: counts.IN_PROGRESS, failed: counts.FAILED };
  });
}
