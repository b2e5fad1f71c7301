// Agent-run. Where port meets adapter. Needs Config, Sessions, Clock, Ids, ThisInstance and HealthIndicators from
// global modules. What needs no database is in assistants.module.ts.
import { Inject, Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { ThisInstance } from '../kernel/this-instance';
import { Config } from '../platform/config/config';
import { DataFolder } from '../platform/data-folder/data-folder';
import { HealthIndicators } from '../platform/health/health-indicators';
import { Heartbeat } from '../platform/instances/heartbeat';
import { Sessions } from '../platform/persistence/sessions';
import { bind, construct, provide } from '../platform/wiring';
import { AssistantsModule } from './assistants.module';
import { OutsideRunsModule } from './outside-runs.module';
import type { AgentRun } from './domain/agent-run';
import { AgentRunsController } from './inbound/agent-runs.controller';
import { AssistantsController } from './inbound/assistants.controller';
import { IsolationHealth } from './inbound/isolation-health';
import { OutsideRunsController } from './inbound/outside-runs.controller';
import { RunOutputController } from './inbound/run-output.controller';
import { ThreadsController } from './inbound/threads.controller';
import { FileLiveOutput } from './outbound/file-live-output';
import { InProcessRunQueue } from './outbound/in-process-run-queue';
import { LoggedFaults } from './outbound/logged-faults';
import { SqlAgentRunRepository } from './outbound/sql-agent-run-repository';
import { SqlThreadRepository } from './outbound/sql-thread-repository';
import { AgentIsolation } from './ports/agent-isolation';
import { AgentRunRepository } from './ports/agent-run-repository';
import { AssistantDirectory } from './ports/assistant-directory';
import { AssistantDrivers } from './ports/assistant-driver';
import { FaultLog } from './ports/fault-log';
import { LiveOutput } from './ports/live-output';
import { OutsideRuns } from './ports/outside-runs';
import { RunQueue } from './ports/run-queue';
import { ThreadRepository } from './ports/thread-repository';
import { CancelRun } from './usecases/cancel-run';
import { ClaimRun } from './usecases/claim-run';
import { CreateThread } from './usecases/create-thread';
import { ExecuteRun } from './usecases/execute-run';
import { FollowOutput } from './usecases/follow-output';
import { FindRuns } from './usecases/find-runs';
import { FindThread } from './usecases/find-thread';
import { HeedCancelRequests } from './usecases/heed-cancel-requests';
import { Launches } from './usecases/launches';
import { ReloadAssistants } from './usecases/reload-assistants';
import { ReportRun } from './usecases/report-run';
import { RunEndListeners } from './usecases/run-end-listeners';
import { SettleAbandonedRuns } from './usecases/settle-abandoned-runs';
import { StartRun } from './usecases/start-run';
import { StopRuns } from './usecases/stop-runs';
import { TryAgain } from './usecases/try-again';

/** A run that comes alone is written at once; one that comes while others are being written goes with the next batch. */
const BATCH = { windowMs: 0, max: 1_000, retryMs: 1_000 };
/** Of the deadline of a stop, what agents need that do not end by themselves: their grace, and the last write. */
const LAST_SECONDS = 12;

const CUT_OFF = 'The Horarium process that held this run has lost the database for too long.';

@Module({
  imports: [AssistantsModule.with(OutsideRunsModule)],
  controllers: [
    AgentRunsController,
    OutsideRunsController,
    RunOutputController,
    ThreadsController,
    AssistantsController,
  ],
  providers: [
    bind(FaultLog, LoggedFaults, []),
    bind(RunQueue, InProcessRunQueue, []),
    bind(ThreadRepository, SqlThreadRepository, [Sessions]),
    provide(AgentRunRepository, (sessions: Sessions) => new SqlAgentRunRepository(sessions, BATCH), [Sessions]),
    construct(RunEndListeners, [FaultLog]),
    provide(LiveOutput, liveOutput, [Config, Clock]),
    construct(Launches, [AssistantDirectory, AssistantDrivers, ThreadRepository, LiveOutput]),
    construct(ExecuteRun, [Launches, AgentRunRepository, RunEndListeners, FaultLog, Clock, ThisInstance]),
    construct(StartRun, [AssistantDirectory, AgentRunRepository, RunQueue, Ids, ThisInstance]),
    construct(CancelRun, [AgentRunRepository, RunQueue, ExecuteRun, Launches, RunEndListeners, ThisInstance]),
    provide(HeedCancelRequests, heedCancelRequests, [
      AgentRunRepository,
      CancelRun,
      FaultLog,
      ThisInstance,
      StartRun,
      ExecuteRun,
      TryAgain,
    ]),
    provide(SettleAbandonedRuns, settleAbandonedRuns, [
      AgentRunRepository,
      Launches,
      ExecuteRun,
      RunEndListeners,
      FaultLog,
      ThisInstance,
      StartRun,
      TryAgain,
    ]),
    construct(StopRuns, [RunQueue, ExecuteRun, AgentRunRepository]),
    construct(TryAgain, [AgentRunRepository, AssistantDirectory, RunQueue, RunEndListeners, FaultLog, ThisInstance]),
    construct(ClaimRun, [OutsideRuns]),
    construct(ReportRun, [OutsideRuns]),
    construct(FindRuns, [AgentRunRepository, ThreadRepository]),
    construct(FollowOutput, [FindRuns, LiveOutput]),
    construct(FindThread, [ThreadRepository]),
    construct(CreateThread, [ThreadRepository, Ids]),
    construct(ReloadAssistants, [AssistantDirectory, FaultLog]),
  ],
  exports: [
    AssistantsModule,
    StartRun,
    CancelRun,
    ClaimRun,
    ReportRun,
    TryAgain,
    HeedCancelRequests,
    FindRuns,
    FindThread,
    CreateThread,
    RunEndListeners,
    SettleAbandonedRuns,
    StopRuns,
  ],
})
export class AgentRunModule implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('AgentRuns');
  private readonly onHangUp = (): void => {
    void this.reload.run().then((good) => good && this.logger.log('The assistants were read again.'));
  };

  constructor(
    private readonly execution: ExecuteRun,
    private readonly reload: ReloadAssistants,
    private readonly stopRuns: StopRuns,
    private readonly claims: ClaimRun,
    private readonly followers: FollowOutput,
    private readonly health: HealthIndicators,
    private readonly config: Config,
    private readonly heartbeat: Heartbeat,
    @Inject(RunQueue) private readonly queue: RunQueue,
    @Inject(AgentIsolation) private readonly isolation: AgentIsolation,
  ) {}

  onModuleInit(): void {
    this.queue.serve(this.execution);
    this.health.add(new IsolationHealth(this.isolation));
    process.on('SIGHUP', this.onHangUp);
    // Others take over soon what this process held: two agents must not work on one thread for longer than can be helped.
    this.heartbeat.onCutOff(() => void this.execution.cancelAll(CUT_OFF));
  }

  async onModuleDestroy(): Promise<void> {
    process.off('SIGHUP', this.onHangUp);
    this.claims.close();
    const enough = new AbortController();
    const patienceMs = Math.max(0, this.config.shutdownDeadlineSeconds - LAST_SECONDS) * 1_000;
    const patience = pause(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined);
    const { shutdownDeadlineSeconds } = this.config;
    const end = pause(shutdownDeadlineSeconds * 1_000, undefined, { signal: enough.signal }).catch(() => undefined);
    await this.stopRuns.run(patience, end);
    this.followers.close();
    enough.abort();
  }
}

function liveOutput({ dataDir }: Config, clock: Clock): Promise<LiveOutput> {
  return FileLiveOutput.open(join(DataFolder.open(dataDir).path, 'output'), clock.now());
}

function heedCancelRequests(
  runs: AgentRunRepository,
  cancel: CancelRun,
  faults: FaultLog,
  instance: ThisInstance,
  start: StartRun,
  execution: ExecuteRun,
  again: TryAgain,
): HeedCancelRequests {
  return new HeedCancelRequests(runs, cancel, faults, instance, () => start.busy || again.busy || execution.busy);
}

function settleAbandonedRuns(
  runs: AgentRunRepository,
  launches: Launches,
  execution: ExecuteRun,
  listeners: RunEndListeners,
  faults: FaultLog,
  instance: ThisInstance,
  start: StartRun,
  again: TryAgain,
): SettleAbandonedRuns {
  const inHand = ({ id, fields }: AgentRun): boolean =>
    start.isUnderWay(fields.requestId) || again.isUnderWay(id) || execution.isAtWork(id);
  return new SettleAbandonedRuns(runs, launches, execution, listeners, faults, instance, inHand);
}
