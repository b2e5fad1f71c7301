// Runs a task now, by hand. It takes a place of the budget like any other run, and never a due occurrence's.
import type { ThisInstance } from '../../kernel/this-instance';
import type { UserActor } from '../../kernel/actor';
import {
  ActiveRunError,
  BudgetFullError,
  LaunchFailedError,
  TaskNotFoundError,
  ThreadBusyError,
} from '../domain/errors';
import type { ScheduledRun } from '../domain/run';
import type { SchedulePolicy } from '../domain/schedule-policy';
import type { DispatchLedger } from '../ports/dispatch-ledger';
import type { DispatchMetrics } from '../ports/dispatch-metrics';
import type { PollerWake } from '../ports/poller-wake';
import type { RunRepository } from '../ports/run-repository';
import type { LaunchRun } from './launch-run';

export class TriggerTask {
  constructor(
    private readonly ledger: DispatchLedger,
    private readonly runs: RunRepository,
    private readonly launch: LaunchRun,
    private readonly wake: PollerWake,
    private readonly metrics: DispatchMetrics,
    private readonly policy: SchedulePolicy,
    private readonly instance: ThisInstance,
  ) {}

  /** The run as it was claimed. A launch of unknown fate counts as one: the place is kept and recovery finds out. */
  async run(actor: UserActor, taskId: string, now: Date): Promise<ScheduledRun> {
    const claim = await this.ledger.claimManual({ tenantId: actor.tenantId, userId: actor.userId }, taskId, {
      now,
      instanceId: this.instance.id,
      leaseSeconds: this.policy.leaseSeconds,
      budget: this.policy.maxConcurrentRuns,
    });
    switch (claim.outcome) {
      case 'absent':
        throw new TaskNotFoundError(taskId);
      case 'active-run':
        this.metrics.dispatched('conflict');
        throw new ActiveRunError(taskId);
      case 'budget-full':
        throw new BudgetFullError(this.policy.maxConcurrentRuns);
      case 'waiting':
        this.wake.wakeWaiting();
        return claim.run;
      case 'claimed':
        break;
    }
    const result = await this.launch.run(claim);
    if (result.outcome === 'busy' && claim.task.overlapPolicy === 'queue') return this.queued(actor, claim.run);
    if (result.outcome === 'busy') throw new ThreadBusyError(claim.run.threadId);
    if (result.outcome === 'failed') throw new LaunchFailedError(result.error);
    return claim.run;
  }

  /** Its thread was busy: it waits, or the one that waited already stands for it. */
  private async queued(actor: UserActor, run: ScheduledRun): Promise<ScheduledRun> {
    const is = await this.runs.find(actor, run.id);
    if (is?.status !== 'skipped') return is ?? run;
    const page = { limit: 1, offset: 0 };
    const [waiting] = await this.runs.list(actor, { taskId: run.taskId, status: 'waiting' }, page);
    return waiting ?? is;
  }
}
