// Test support. The use cases of one process, wired over whatever storage and launcher a test hands in, with a clock that
// stands still. What they told the outside (wakes, metrics, log) can be looked at.
import type { SchedulePolicy } from '../../src/schedule/domain/schedule-policy';
import type { DispatchLedger } from '../../src/schedule/ports/dispatch-ledger';
import type { RunRepository } from '../../src/schedule/ports/run-repository';
import type { TaskRepository } from '../../src/schedule/ports/task-repository';
import { CheckBinding } from '../../src/schedule/usecases/check-binding';
import { CreateTask } from '../../src/schedule/usecases/create-task';
import { DeleteTask } from '../../src/schedule/usecases/delete-task';
import { DeliverWaiting } from '../../src/schedule/usecases/deliver-waiting';
import { DispatchDue } from '../../src/schedule/usecases/dispatch-due';
import { DuplicateTask } from '../../src/schedule/usecases/duplicate-task';
import { HoldUntilDue } from '../../src/schedule/usecases/hold-until-due';
import { LaunchRun } from '../../src/schedule/usecases/launch-run';
import { PauseTask } from '../../src/schedule/usecases/pause-task';
import { RecordOutcome } from '../../src/schedule/usecases/record-outcome';
import { RemoveSessionTasks } from '../../src/schedule/usecases/remove-session-tasks';
import { ResumeTask } from '../../src/schedule/usecases/resume-task';
import { SettleRuns } from '../../src/schedule/usecases/settle-runs';
import { TriggerTask } from '../../src/schedule/usecases/trigger-task';
import { UpdateTask } from '../../src/schedule/usecases/update-task';
import { CountedIds } from './fakes/counted-ids';
import { KnownAssistants } from './fakes/known-assistants';
import { KnownSessions } from './fakes/known-sessions';
import { KnownThreads } from './fakes/known-threads';
import { CountedWakes, NotedStarvation, RecordedLog, RecordedMetrics } from './fakes/recorders';
import { ScriptedLauncher } from './fakes/scripted-launcher';
import { SteeredAlarm } from './fakes/steered-alarm';
import { SteeredClock } from './fakes/steered-clock';
import { NOON, POLICY } from './schedule-builders';

export interface ProcessParts {
  readonly tasks: TaskRepository;
  readonly ledger: DispatchLedger;
  readonly runs?: RunRepository;
  readonly instanceId?: string;
  readonly launcher?: ScriptedLauncher;
  readonly clock?: SteeredClock;
  readonly policy?: Partial<SchedulePolicy>;
}

/** For tests that never look at one. */
const NO_RUNS: RunRepository = { find: () => Promise.resolve(null), list: () => Promise.resolve([]) };

export class ScheduleProcess {
  readonly clock: SteeredClock;
  readonly alarm: SteeredAlarm;
  readonly launcher: ScriptedLauncher;
  readonly policy: SchedulePolicy;
  readonly instance: { id: string; alone?: boolean };
  readonly ledger: DispatchLedger;
  readonly threads = new KnownThreads();
  readonly assistants = new KnownAssistants();
  readonly agentSessions = new KnownSessions();
  readonly wakes = new CountedWakes();
  readonly metrics = new RecordedMetrics();
  readonly log = new RecordedLog();
  readonly notices = new NotedStarvation();

  readonly createTask: CreateTask;
  readonly updateTask: UpdateTask;
  readonly pauseTask: PauseTask;
  readonly resumeTask: ResumeTask;
  readonly deleteTask: DeleteTask;
  readonly duplicateTask: DuplicateTask;
  readonly launchRun: LaunchRun;
  readonly triggerTask: TriggerTask;
  readonly removeSessionTasks: RemoveSessionTasks;
  readonly dispatchDue: DispatchDue;
  readonly deliverWaiting: DeliverWaiting;
  readonly recordOutcome: RecordOutcome;
  readonly settleRuns: SettleRuns;

  constructor({ tasks, ledger, runs = NO_RUNS, instanceId = 'instance-1', launcher, clock, policy }: ProcessParts) {
    this.clock = clock ?? new SteeredClock(NOON);
    this.alarm = new SteeredAlarm(this.clock);
    this.launcher = launcher ?? new ScriptedLauncher(this.clock);
    this.policy = { ...POLICY, ...policy };
    this.instance = { id: instanceId };
    this.ledger = ledger;
    const ids = new CountedIds();
    const binding = new CheckBinding(this.threads, this.assistants, this.agentSessions);
    this.createTask = new CreateTask(tasks, binding, this.wakes, this.policy, ids);
    this.updateTask = new UpdateTask(tasks, binding, this.wakes, this.policy);
    this.pauseTask = new PauseTask(tasks);
    this.resumeTask = new ResumeTask(tasks, this.wakes);
    this.deleteTask = new DeleteTask(tasks);
    this.duplicateTask = new DuplicateTask(tasks, binding, this.wakes, this.policy, ids);
    const hold = new HoldUntilDue(ledger, this.alarm, this.log, this.clock);
    this.launchRun = new LaunchRun(this.launcher, ledger, hold, this.wakes, this.metrics, this.log, this.clock);
    this.triggerTask = new TriggerTask(
      ledger,
      runs,
      this.launchRun,
      this.wakes,
      this.metrics,
      this.policy,
      this.instance,
    );
    this.deliverWaiting = new DeliverWaiting(ledger, this.launcher, this.launchRun, this.policy, this.instance);
    this.removeSessionTasks = new RemoveSessionTasks(tasks, this.agentSessions, this.log);
    this.dispatchDue = new DispatchDue(
      ledger,
      this.launchRun,
      this.metrics,
      this.log,
      this.policy,
      this.instance,
      this.notices,
    );
    this.recordOutcome = new RecordOutcome(ledger, this.wakes);
    this.settleRuns = new SettleRuns(
      ledger,
      this.launcher,
      this.launchRun,
      this.recordOutcome,
      this.wakes,
      this.log,
      this.policy,
      this.instance,
    );
  }

  /** Those that wait are looked after, with everything it set off. */
  async deliver(now = this.clock.now()): Promise<Date | null> {
    const next = await this.deliverWaiting.run(now);
    await this.launchRun.drain();
    return next;
  }

  /** One round of the poller and everything it set off. */
  async poll(now = this.clock.now()): Promise<Date | null> {
    this.clock.set(now);
    const next = await this.dispatchDue.run(now);
    await this.launchRun.drain();
    return next;
  }
}
