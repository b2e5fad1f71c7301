// What waits and what works, for metrics and health.
import type { SchedulePolicy } from '../domain/schedule-policy';
import type { Backlog, DispatchLedger } from '../ports/dispatch-ledger';

export interface BacklogReading extends Backlog {
  /** The most runs at once. */
  readonly budget: number;
}

export class ScheduleBacklog {
  constructor(
    private readonly ledger: DispatchLedger,
    private readonly policy: SchedulePolicy,
  ) {}

  async read(now: Date): Promise<BacklogReading> {
    return { ...(await this.ledger.backlog(now)), budget: this.policy.maxConcurrentRuns };
  }
}
