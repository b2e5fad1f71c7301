// One job, in a scope of its own: whatever happens in it touches this job only, and what it says of the tenant's connection.
import type { Clock } from '../../kernel/clock';
import { DriveProblemError } from '../domain/drive-problem';
import type { ClaimedJob } from '../domain/job';
import { connectionVerdict, errorText, slowFor, verdictOn } from '../domain/retry';
import type { Drives } from '../ports/drive';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { JobMetrics } from '../ports/job-metrics';
import type { JobEnd, JobQueue } from '../ports/job-queue';
import type { WorkerLog } from '../ports/worker-log';
import type { ConnectionLost } from './connection-lost';
import type { JobHandlers } from './job-handlers';

const LATER_MS = 10 * 60_000;

export class RunJob {
  /** How often in a row Drive told a tenant to slow down. */
  private readonly slowed = new Map<number, number>();

  constructor(
    private readonly handlers: JobHandlers,
    private readonly drives: Drives,
    private readonly integrations: IntegrationRepository,
    private readonly queue: JobQueue,
    private readonly lost: ConnectionLost,
    private readonly metrics: JobMetrics,
    private readonly log: WorkerLog,
    private readonly clock: Clock,
    private readonly chance: () => number,
  ) {}

  /** Never rejects for what the job did; only when its end cannot be written down. */
  async run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const end = await this.attempt(job, signal);
    if (await this.queue.finish(job, end, this.clock.now())) this.metrics.ended(job.type, end.status);
    else this.log.warn(`Job ${job.uid} (${job.type}) went to another worker before it ended here.`);
  }

  private async attempt(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd> {
    const handler = this.handlers.of(job.type);
    if (handler === undefined) return { status: 'SKIPPED', error: `There is no handler for the type ${job.type}.` };
    let generation: number | undefined;
    try {
      const drive = await this.drives.of(job.tenantId);
      generation = drive.generation;
      await handler.run(job, { drive, now: this.clock.now(), signal });
      if (this.slowed.delete(job.tenantId)) await this.integrations.calm(job.tenantId);
      return { status: 'SUCCESS' };
    } catch (error) {
      return this.failed(job, error, generation, signal);
    }
  }

  private async failed(
    job: ClaimedJob,
    error: unknown,
    generation: number | undefined,
    signal: AbortSignal,
  ): Promise<JobEnd> {
    const text = errorText(error);
    if (signal.aborted) {
      const by = signal.reason instanceof Error ? signal.reason.message : '';
      return by.startsWith('Cancelled') ? { status: 'SKIPPED', error: by } : { status: 'PARKED', error: null };
    }
    await this.heed(job.tenantId, error, generation, text);
    const verdict = verdictOn(error, job, this.clock.now(), this.chance());
    if (verdict.type === 'parked') return { status: 'PARKED', error: text };
    if (job.type === 'PROCESS_DRIVE_CHANGES') await this.integrations.noteError(job.tenantId, text);
    if (verdict.type === 'again') return { status: 'PENDING', at: verdict.at, error: text };
    this.log.warn(`Job ${job.uid} (${job.type}) of tenant ${job.tenantId} failed: ${text}`);
    return { status: 'FAILED', error: text };
  }

  private async heed(tenantId: number, error: unknown, generation: number | undefined, text: string): Promise<void> {
    const now = this.clock.now();
    switch (connectionVerdict(error)) {
      case 'slow-down': {
        const steps = (this.slowed.get(tenantId) ?? 0) + 1;
        this.slowed.set(tenantId, steps);
        const asked = error instanceof DriveProblemError ? error.failure.retryAfterSeconds : undefined;
        return this.integrations.slowDown(tenantId, new Date(now.getTime() + slowFor(steps, asked)), text);
      }
      case 'reconnect':
        return generation === undefined ? undefined : this.lost.run(tenantId, generation, text, now);
      case 'configuration':
        this.log.error(`Google Drive is not set up rightly: ${text}`);
        return this.integrations.slowDown(tenantId, new Date(now.getTime() + LATER_MS), text);
      case 'fine':
    }
  }
}
