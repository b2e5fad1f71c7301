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
import { Instances } from '../platform/instances/instances';
import { StopTime } from '../platform/stop-time';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { Sessions } from '../platform/persistence/sessions';
import { bind, construct, provide } from '../platform/wiring';
import { AssistantsModule } from './assistants.module';
import { OutsideRunsModule } from './outside-runs.module';
import type { AgentRun } from './domain/agent-run';
import { AgentRunsController } from './inbound/agent-runs.controller';
import { AgentSessionsController } from './inbound/agent-sessions.controller';
import { AssistantsController } from './inbound/assistants.controller';
import { IsolationHealth } from './inbound/isolation-health';
import { OutsideRunsController } from './inbound/outside-runs.controller';
import { RunOutputController } from './inbound/run-output.controller';
import { ThreadsController } from './inbound/threads.controller';
import { FileLiveOutput, OUTPUT_FOLDER } from './outbound/file-live-output';
import { InProcessRunQueue } from './outbound/in-process-run-queue';
import { LoggedFaults } from './outbound/logged-faults';
import { SqlAgentRunRepository } from './outbound/sql-agent-run-repository';
import { SqlSessionRepository } from './outbound/sql-session-repository';
import { SqlThreadRepository } from './outbound/sql-thread-repository';
import { AgentIsolation } from './ports/agent-isolation';
import { AgentRunRepository } from './ports/agent-run-repository';
import { AssistantDirectory } from './ports/assistant-directory';
import { AssistantDrivers } from './ports/assistant-driver';
import { FaultLog } from './ports/fault-log';
import { LiveOutput } from './ports/live-output';
import { OutsideRuns } from './ports/outside-runs';
import { Neighbours } from './ports/neighbours';
import { RunQueue } from './ports/run-queue';
import { SessionRepository } from './ports/session-repository';
import { ThreadRepository } from './ports/thread-repository';
import { AgentSessions } from './usecases/agent-sessions';
import { CancelRun } from './usecases/cancel-run';
import { ClaimRun } from './usecases/claim-run';
import { CreateThread } from './usecases/create-thread';
import { ExecuteRun } from './usecases/execute-run';
import { FollowOutput } from './usecases/follow-output';
import { FindRuns } from './usecases/find-runs';
import { FindThread } from './usecases/find-thread';
import { HeedCancelRequests } from './usecases/heed-cancel-requests';
import { Launches } from './usecases/launches';
import { PromoteQueued } from './usecases/promote-queued';
import { ReloadAssistants } from './usecases/reload-assistants';
import { ReportRun } from './usecases/report-run';
import { RequestRun } from './usecases/request-run';
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
    AgentSessionsController,
    AssistantsController,
  ],
  providers: [
    bind(FaultLog, LoggedFaults, []),
    bind(RunQueue, InProcessRunQueue, []),
    bind(ThreadRepository, SqlThreadRepository, [Sessions]),
    provide(AgentRunRepository, (sessions: Sessions) => new SqlAgentRunRepository(sessions, BATCH), [Sessions]),
    construct(RunEndListeners, [FaultLog]),
    provide(LiveOutput, liveOutput, [Config, Clock]),
    provide(Neighbours, (instances: Instances) => instances, [Instances]),
    construct(Launches, [AssistantDirectory, AssistantDrivers, ThreadRepository, LiveOutput, Neighbours]),
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
      PromoteQueued,
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
      PromoteQueued,
    ]),
    construct(StopRuns, [RunQueue, ExecuteRun, AgentRunRepository]),
    construct(TryAgain, [AgentRunRepository, AssistantDirectory, RunQueue, RunEndListeners, FaultLog, ThisInstance]),
    construct(ClaimRun, [OutsideRuns]),
    construct(ReportRun, [OutsideRuns]),
    provide(PromoteQueued, promoteQueued, [
      AgentRunRepository,
      AssistantDirectory,
      RunQueue,
      RunEndListeners,
      FaultLog,
      ThisInstance,
      WakeChannel,
      Config,
    ]),
    construct(RequestRun, [StartRun, FindRuns, PromoteQueued, Ids]),
    bind(SessionRepository, SqlSessionRepository, [Sessions]),
    provide(AgentSessions, agentSessions, [
      SessionRepository,
      ThreadRepository,
      AssistantDirectory,
      FaultLog,
      Ids,
      ThisInstance,
      WakeChannel,
    ]),
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
    PromoteQueued,
    AgentSessions,
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
    private readonly stopTime: StopTime,
    private readonly heartbeat: Heartbeat,
    private readonly sessions: AgentSessions,
    @Inject(Clock) private readonly clock: Clock,
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
    await this.sessions.closeOwn(this.clock.now()).catch((error: unknown) => {
      this.logger.warn(`Sessions could not be closed, and will be by others: ${String(error)}`);
    });
    const enough = new AbortController();
    const leftMs = this.stopTime.leftMs();
    const patienceMs = Math.max(0, leftMs - LAST_SECONDS * 1_000);
    const patience = pause(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined);
    const end = pause(leftMs, undefined, { signal: enough.signal }).catch(() => undefined);
    await this.stopRuns.run(patience, end);
    this.followers.close();
    enough.abort();
  }
}

function liveOutput({ dataDir }: Config, clock: Clock): Promise<LiveOutput> {
  return FileLiveOutput.open(join(DataFolder.open(dataDir).path, OUTPUT_FOLDER), clock.now());
}

function heedCancelRequests(
  runs: AgentRunRepository,
  cancel: CancelRun,
  faults: FaultLog,
  instance: ThisInstance,
  start: StartRun,
  execution: ExecuteRun,
  again: TryAgain,
  queued: PromoteQueued,
): HeedCancelRequests {
  const inHand = (): boolean => start.busy || again.busy || queued.busy || execution.busy;
  return new HeedCancelRequests(runs, cancel, faults, instance, inHand);
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
  queued: PromoteQueued,
): SettleAbandonedRuns {
  const inHand = (run: AgentRun): boolean =>
    start.isUnderWay(run.fields.requestId) ||
    again.isUnderWay(run.id) ||
    queued.isUnderWay(run) ||
    execution.isAtWork(run.id);
  return new SettleAbandonedRuns(runs, launches, execution, listeners, faults, instance, inHand);
}

function agentSessions(
  sessions: SessionRepository,
  threads: ThreadRepository,
  assistants: AssistantDirectory,
  faults: FaultLog,
  ids: Ids,
  instance: ThisInstance,
  channel: WakeChannel,
): AgentSessions {
  const announce = (): void => void channel.notify('agent-sessions');
  return new AgentSessions(sessions, threads, assistants, faults, ids, instance, announce);
}

function promoteQueued(
  runs: AgentRunRepository,
  assistants: AssistantDirectory,
  queue: RunQueue,
  listeners: RunEndListeners,
  faults: FaultLog,
  instance: ThisInstance,
  channel: WakeChannel,
  { scheduleQueueTimeoutSeconds: timeout }: Config,
): PromoteQueued {
  const announce = (): void => void channel.notify('queued-agent-runs');
  return new PromoteQueued(runs, assistants, queue, listeners, faults, instance, announce, timeout);
}
