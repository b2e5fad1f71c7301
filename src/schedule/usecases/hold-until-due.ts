// Keeps runs that were claimed ahead until their instant. Until shortly before it their owner may still change the task,
// which takes the claim back; and a process that stops gives back what it has not started.
import type { Clock } from '../../kernel/clock';
import type { ScheduledRun } from '../domain/run';
import { CONFIRM_BEFORE_MS } from '../domain/look-ahead';
import type { Alarm } from '../ports/alarm';
import type { BackgroundLog } from '../ports/background-log';
import type { DispatchLedger } from '../ports/dispatch-ledger';

/** Between two questions while the books still let the task be changed: their clock is behind this process's. */
const ASK_AGAIN_MS = 50;

export class HoldUntilDue {
  private readonly held = new Set<string>();

  constructor(
    private readonly ledger: DispatchLedger,
    private readonly alarm: Alarm,
    private readonly log: BackgroundLog,
    private readonly clock: Clock,
  ) {}

  /** True at the run's instant, at once for one that is due; false when it is not to be started. Never throws. */
  async run(run: ScheduledRun): Promise<boolean> {
    if (run.scheduledFor <= this.clock.now()) return true;
    this.held.add(run.id);
    try {
      return (await this.confirmed(run)) && (await this.alarm.at(run.scheduledFor));
    } catch (error) {
      this.log.warn(`Run ${run.id} could not be confirmed; recovery starts it.`, error);
      return false;
    } finally {
      this.held.delete(run.id);
    }
  }

  /** From now on nothing is held: what was, is given back and will be claimed again. */
  async giveBack(): Promise<void> {
    const runIds = [...this.held];
    this.alarm.silence();
    if (runIds.length === 0) return;
    try {
      await this.ledger.giveBack(runIds);
    } catch (error) {
      this.log.warn(
        `${runIds.length} runs that were claimed ahead could not be given back; recovery starts them.`,
        error,
      );
    }
  }

  private async confirmed({ id, scheduledFor }: ScheduledRun): Promise<boolean> {
    let ask = new Date(scheduledFor.getTime() - CONFIRM_BEFORE_MS);
    for (;;) {
      if (!(await this.alarm.at(ask))) return false;
      const answer = await this.ledger.confirm(id);
      if (answer !== 'open') return answer === 'kept';
      ask = new Date(this.clock.now().getTime() + ASK_AGAIN_MS);
    }
  }
}
