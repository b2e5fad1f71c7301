// Schedule. Where port meets adapter, and configuration meets policy.
import {
  Inject,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import {
  AgentRunModule,
  AgentSessions,
  CancelRun,
  CheckFolder,
  FindRuns,
  FindThread,
  ListAssistants,
  RunEndListeners,
  StartRun,
  StopRuns,
} from '../agent-run';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { ThisInstance } from '../kernel/this-instance';
import { Config } from '../platform/config/config';
import { ScheduleMetrics } from '../platform/metrics/schedule-metrics';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { bind, construct, provide } from '../platform/wiring';
import { StopTime } from '../platform/stop-time';
import { SchedulePolicy } from './domain/schedule-policy';
import { CronPreviewController } from './inbound/cron-preview.controller';
import { ImportTasksController } from './inbound/import-tasks.controller';
import { RunFinishedListener } from './inbound/run-finished.listener';
import { SessionEndedListener } from './inbound/session-ended.listener';
import { RunsController } from './inbound/runs.controller';
import { TaskUsageController } from './inbound/task-usage.controller';
import { TasksController } from './inbound/tasks.controller';
import { UnreadableTasksController } from './inbound/unreadable-tasks.controller';
import { AgentRunAssistantLookup } from './outbound/agent-run-assistant-lookup';
import { AgentRunLauncher } from './outbound/agent-run-launcher';
import { AgentRunSessionLookup } from './outbound/agent-run-session-lookup';
import { AgentRunThreadLookup } from './outbound/agent-run-thread-lookup';
import { ChannelPollerWake } from './outbound/channel-poller-wake';
import { SqlDispatchLedger } from './outbound/sql-dispatch-ledger';
import { SqlRunRepository } from './outbound/sql-run-repository';
import { SqlRuntimeFacts } from './outbound/sql-runtime-facts';
import { SqlStarvationNotices } from './outbound/sql-starvation-notices';
import { SqlTaskRepository } from './outbound/sql-task-repository';
import { SqlTaskTotals } from './outbound/sql-task-totals';
import { TimerAlarm } from './outbound/timer-alarm';
import { Alarm } from './ports/alarm';
import { AssistantLookup } from './ports/assistant-lookup';
import { BackgroundLog } from './ports/background-log';
import { DispatchLedger } from './ports/dispatch-ledger';
import { DispatchMetrics } from './ports/dispatch-metrics';
import { PollerWake } from './ports/poller-wake';
import { RunLauncher } from './ports/run-launcher';
import { RunRepository } from './ports/run-repository';
import { RuntimeFacts } from './ports/runtime-facts';
import { SessionLookup } from './ports/session-lookup';
import { StarvationNotices } from './ports/starvation-notices';
import { TaskRepository } from './ports/task-repository';
import { TaskTotals } from './ports/task-totals';
import { ThreadLookup } from './ports/thread-lookup';
import { CheckBinding } from './usecases/check-binding';
import { CreateTask } from './usecases/create-task';
import { DeleteTask } from './usecases/delete-task';
import { DeliverWaiting } from './usecases/deliver-waiting';
import { DispatchDue } from './usecases/dispatch-due';
import { DuplicateTask } from './usecases/duplicate-task';
import { FindUnreadableTasks } from './usecases/find-unreadable-tasks';
import { HoldUntilDue } from './usecases/hold-until-due';
import { ImportTasks } from './usecases/import-tasks';
import { LaunchRun } from './usecases/launch-run';
import { PauseTask } from './usecases/pause-task';
import { PreviewSchedule } from './usecases/preview-schedule';
import { ReadRuns } from './usecases/read-runs';
import { ReadTasks } from './usecases/read-tasks';
import { ReadUsage } from './usecases/read-usage';
import { RecomputeNextRuns } from './usecases/recompute-next-runs';
import { RecordOutcome } from './usecases/record-outcome';
import { RemoveSessionTasks } from './usecases/remove-session-tasks';
import { ResumeTask } from './usecases/resume-task';
import { ScheduleBacklog } from './usecases/schedule-backlog';
import { SettleRuns } from './usecases/settle-runs';
import { TriggerTask } from './usecases/trigger-task';
import { UpdateTask } from './usecases/update-task';

@Module({
  imports: [AgentRunModule],
  controllers: [
    ImportTasksController,
    TasksController,
    RunsController,
    TaskUsageController,
    CronPreviewController,
    UnreadableTasksController,
  ],
  providers: [
    provide(SchedulePolicy, policyOf, [Config]),
    provide(BackgroundLog, backgroundLog, []),
    provide(DispatchMetrics, (metrics: ScheduleMetrics) => metrics, [ScheduleMetrics]),
    bind(TaskRepository, SqlTaskRepository, [Sessions]),
    bind(RunRepository, SqlRunRepository, [Sessions]),
    bind(DispatchLedger, SqlDispatchLedger, [Sessions, Ids]),
    bind(RuntimeFacts, SqlRuntimeFacts, [Sessions]),
    bind(StarvationNotices, SqlStarvationNotices, [Sessions]),
    bind(RunLauncher, AgentRunLauncher, [StartRun, FindRuns, CancelRun, Clock]),
    bind(ThreadLookup, AgentRunThreadLookup, [FindThread]),
    bind(AssistantLookup, AgentRunAssistantLookup, [ListAssistants, CheckFolder]),
    bind(Alarm, TimerAlarm, [Clock]),
    bind(SessionLookup, AgentRunSessionLookup, [AgentSessions]),
    bind(PollerWake, ChannelPollerWake, [WakeChannel]),
    construct(CheckBinding, [ThreadLookup, AssistantLookup, SessionLookup]),
    construct(CreateTask, [TaskRepository, CheckBinding, PollerWake, SchedulePolicy, Ids]),
    provide(
      ImportTasks,
      (create: CreateTask, { defaultTimezone }: Config) => new ImportTasks(create, defaultTimezone),
      [CreateTask, Config],
    ),
    construct(UpdateTask, [TaskRepository, CheckBinding, PollerWake, SchedulePolicy]),
    construct(PauseTask, [TaskRepository]),
    construct(ResumeTask, [TaskRepository, PollerWake]),
    construct(DeleteTask, [TaskRepository]),
    construct(DuplicateTask, [TaskRepository, CheckBinding, PollerWake, SchedulePolicy, Ids]),
    construct(ReadTasks, [TaskRepository, ThreadLookup]),
    bind(TaskTotals, SqlTaskTotals, [Sessions, FindRuns]),
    construct(ReadUsage, [ReadTasks, TaskTotals]),
    construct(ReadRuns, [TaskRepository, RunRepository]),
    construct(FindUnreadableTasks, [TaskRepository]),
    construct(PreviewSchedule, []),
    construct(HoldUntilDue, [DispatchLedger, Alarm, BackgroundLog, Clock]),
    construct(LaunchRun, [
      RunLauncher,
      DispatchLedger,
      HoldUntilDue,
      PollerWake,
      DispatchMetrics,
      BackgroundLog,
      Clock,
    ]),
    construct(TriggerTask, [
      DispatchLedger,
      RunRepository,
      LaunchRun,
      PollerWake,
      DispatchMetrics,
      SchedulePolicy,
      ThisInstance,
    ]),
    construct(DeliverWaiting, [DispatchLedger, RunLauncher, LaunchRun, SchedulePolicy, ThisInstance]),
    construct(DispatchDue, [
      DispatchLedger,
      LaunchRun,
      DispatchMetrics,
      BackgroundLog,
      SchedulePolicy,
      ThisInstance,
      StarvationNotices,
    ]),
    construct(RecordOutcome, [DispatchLedger, PollerWake]),
    construct(SettleRuns, [
      DispatchLedger,
      RunLauncher,
      LaunchRun,
      RecordOutcome,
      PollerWake,
      BackgroundLog,
      SchedulePolicy,
      ThisInstance,
    ]),
    construct(RecomputeNextRuns, [TaskRepository, RuntimeFacts, BackgroundLog]),
    construct(ScheduleBacklog, [DispatchLedger, SchedulePolicy]),
    construct(RemoveSessionTasks, [TaskRepository, SessionLookup, BackgroundLog]),
    construct(SessionEndedListener, [AgentSessions, RemoveSessionTasks]),
    construct(RunFinishedListener, [RunEndListeners, RecordOutcome, Clock]),
  ],
  exports: [DispatchDue, DeliverWaiting, RemoveSessionTasks, SettleRuns, ReadRuns, ScheduleBacklog],
})
export class ScheduleModule
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  constructor(
    private readonly recompute: RecomputeNextRuns,
    private readonly sessionTasks: RemoveSessionTasks,
    private readonly dispatch: DispatchDue,
    private readonly launches: LaunchRun,
    private readonly agentRuns: StopRuns,
    private readonly stopTime: StopTime,
    @Inject(DispatchLedger) private readonly ledger: DispatchLedger,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Before the first round of the poller. */
  async onModuleInit(): Promise<void> {
    await this.recompute.run(process.versions.tz ?? 'unknown', this.clock.now());
  }

  /** Before the first round as well: no task outlives its session by a run. */
  async onApplicationBootstrap(): Promise<void> {
    await this.sessionTasks.run(this.clock.now());
  }

  /** Nothing new is started; what is being launched is launched, or given back. */
  async onModuleDestroy(): Promise<void> {
    this.dispatch.stop();
    await this.launches.giveBack();
    // A launch that waits for its assistant to have a free place could wait for an hour: it is given back at once.
    this.agentRuns.close();
    await this.stopTime.atMost(this.launches.drain());
  }

  /** The ends of the last runs have been heard by now. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.ledger.drain();
  }
}

function policyOf(config: Config): SchedulePolicy {
  return {
    minOnceDelaySeconds: config.scheduleMinOnceDelaySeconds,
    maxConcurrentRuns: config.scheduleMaxConcurrentRuns,
    leaseSeconds: config.scheduleLeaseSeconds,
    launchUnknownDeadlineSeconds: config.scheduleLaunchUnknownDeadlineSeconds,
    pollIntervalSeconds: config.schedulePollIntervalSeconds,
    lookAheadMs: config.scheduleLookAheadMs,
    queueTimeoutSeconds: config.scheduleQueueTimeoutSeconds,
  };
}

function backgroundLog(): BackgroundLog {
  const logger = new Logger('SchedulePoller');
  return {
    warn: (message, cause) => logger.warn(cause === undefined ? message : { err: cause }, message),
    error: (message, cause) => logger.error(cause === undefined ? message : { err: cause }, message),
  };
}
