// Scheduler. Hands the rows their work, and keeps the timetable while the application runs.
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { ScheduleModule as Timers, SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../kernel/clock';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { HealthIndicators } from '../platform/health/health-indicators';
import { ClusterTurns } from '../platform/instances/cluster-turns';
import { Heartbeat } from '../platform/instances/heartbeat';
import { StopTime } from '../platform/stop-time';
import { Metrics } from '../platform/metrics/metrics';
import { TickMetrics } from '../platform/metrics/tick-metrics';
import { OutboxRelay } from '../platform/outbox/outbox-relay';
import { OutboxRetention } from '../platform/outbox/outbox-retention';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { type Need, provide } from '../platform/wiring';
import { type BacklogReader, contributeBacklog } from './backlog-gauges';
import { TickLog } from './tick-watch';
import { Ticker } from './ticker';
import { type BackgroundWork, rowsOf, SCHEDULE_POLLER, timetable } from './timetable';
import { PollerHealth, TimetableHealth, WakeHealth } from './timetable-health';
import { TimetableController } from './timetable.controller';

/** Which parts of the features the rows run: named in app.module.ts, taken from the features' front doors. */
export interface BackgroundParts {
  readonly modules: readonly Type[];
  readonly dispatchDue: Need<BackgroundWork['dispatchDue']>;
  readonly deliverWaiting: Need<BackgroundWork['deliverWaiting']>;
  readonly promoteQueued: Need<BackgroundWork['promoteQueued']>;
  readonly endSessions: Need<BackgroundWork['endSessions']>;
  readonly settleRuns: Need<BackgroundWork['settleRuns']>;
  readonly settleAgentRuns: Need<BackgroundWork['settleAgentRuns']>;
  readonly heedCancelRequests: Need<BackgroundWork['heedCancelRequests']>;
  readonly surveyAttendance: Need<BackgroundWork['surveyAttendance']>;
  readonly endAbandonedEdits: Need<BackgroundWork['endAbandonedEdits']>;
  readonly carryClassifications: Need<BackgroundWork['carryClassifications']>;
  readonly parseFrameworks: Need<BackgroundWork['parseFrameworks']>;
  readonly sweepParseJobs: Need<BackgroundWork['sweepParseJobs']>;
  readonly drainDriveQueue: Need<BackgroundWork['drainDriveQueue']>;
  readonly forgetDriveJobs: Need<BackgroundWork['forgetDriveJobs']>;
  readonly renewChannels: Need<BackgroundWork['renewChannels']>;
  readonly remoteAgents: Need<BackgroundWork['remoteAgents']>;
  readonly publishDigests: Need<BackgroundWork['publishDigests']>;
  readonly deliverWebhooks: Need<BackgroundWork['deliverWebhooks']>;
  readonly forgetNotifications: Need<BackgroundWork['forgetNotifications']>;
  readonly tryAgain: Need<BackgroundWork['tryAgain']>;
  readonly backlog: Need<BacklogReader>;
}

/** For the rows that tick until the end: a heartbeat gives up sooner. */
const LAST_TICKS_MS = 3_000;

const Backlog = token<BacklogReader>('Backlog');

@Module({})
export class SchedulerModule implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  constructor(
    private readonly ticker: Ticker,
    private readonly channel: WakeChannel,
    private readonly config: Config,
    private readonly indicators: HealthIndicators,
    private readonly metrics: Metrics,
    private readonly tickMetrics: TickMetrics,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(Backlog) private readonly backlog: BacklogReader,
    private readonly heartbeat: Heartbeat,
    private readonly stopTime: StopTime,
  ) {}

  static with({ modules, backlog, ...work }: BackgroundParts): DynamicModule {
    return {
      module: SchedulerModule,
      imports: [Timers.forRoot(), ...modules],
      controllers: [TimetableController],
      providers: [
        provide(Backlog, (reader: BacklogReader) => reader, [backlog]),
        provide(Ticker, makeTicker, [
          Config,
          SchedulerRegistry,
          Clock,
          TickMetrics,
          work.dispatchDue,
          work.deliverWaiting,
          work.promoteQueued,
          work.endSessions,
          work.settleRuns,
          work.settleAgentRuns,
          work.heedCancelRequests,
          work.surveyAttendance,
          work.endAbandonedEdits,
          work.carryClassifications,
          work.parseFrameworks,
          work.sweepParseJobs,
          work.drainDriveQueue,
          work.forgetDriveJobs,
          work.renewChannels,
          work.tryAgain,
          OutboxRelay,
          OutboxRetention,
          work.remoteAgents,
          work.publishDigests,
          work.deliverWebhooks,
          work.forgetNotifications,
          Heartbeat,
          ClusterTurns,
        ]),
      ],
      exports: [Ticker],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    const rows = (): ReturnType<Ticker['rows']> => this.ticker.rows();
    this.indicators.add(new PollerHealth(rows, SCHEDULE_POLLER, this.clock));
    this.indicators.add(new TimetableHealth(rows));
    this.indicators.add(new WakeHealth(this.channel));
    contributeBacklog(this.metrics, this.backlog, this.config.scheduleMaxConcurrentRuns, this.clock);
    for (const { row } of rows()) {
      this.tickMetrics.announce(row.name);
      await this.channel.listen(row.name, () => this.ticker.wake(row.name));
    }
    this.heartbeat.onDeath(() => {
      for (const { row } of rows()) if (row.uponDeath === true) this.ticker.wake(row.name);
    });
    this.ticker.start();
  }

  /** Before the features are stopped: no round may begin that would give them new work. */
  async onModuleDestroy(): Promise<void> {
    await this.ticker.stop(this.stopTime.leftMs());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.ticker.end(Math.max(LAST_TICKS_MS, this.stopTime.leftMs()));
  }
}

function makeTicker(
  config: Config,
  registry: SchedulerRegistry,
  clock: Clock,
  metrics: TickMetrics,
  dispatchDue: BackgroundWork['dispatchDue'],
  deliverWaiting: BackgroundWork['deliverWaiting'],
  promoteQueued: BackgroundWork['promoteQueued'],
  endSessions: BackgroundWork['endSessions'],
  settleRuns: BackgroundWork['settleRuns'],
  settleAgentRuns: BackgroundWork['settleAgentRuns'],
  heedCancelRequests: BackgroundWork['heedCancelRequests'],
  surveyAttendance: BackgroundWork['surveyAttendance'],
  endAbandonedEdits: BackgroundWork['endAbandonedEdits'],
  carryClassifications: BackgroundWork['carryClassifications'],
  parseFrameworks: BackgroundWork['parseFrameworks'],
  sweepParseJobs: BackgroundWork['sweepParseJobs'],
  drainDriveQueue: BackgroundWork['drainDriveQueue'],
  forgetDriveJobs: BackgroundWork['forgetDriveJobs'],
  renewChannels: BackgroundWork['renewChannels'],
  tryAgain: BackgroundWork['tryAgain'],
  outboxRelay: OutboxRelay,
  outboxRetention: OutboxRetention,
  remoteAgents: BackgroundWork['remoteAgents'],
  publishDigests: BackgroundWork['publishDigests'],
  deliverWebhooks: BackgroundWork['deliverWebhooks'],
  forgetNotifications: BackgroundWork['forgetNotifications'],
  heartbeat: Heartbeat,
  turn: ClusterTurns,
): Ticker {
  const entries = timetable({
    pollIntervalSeconds: config.schedulePollIntervalSeconds,
    channelRenewalIntervalHours: config.channelRenewalIntervalHours,
  });
  const rows = rowsOf(entries, {
    dispatchDue,
    deliverWaiting,
    promoteQueued,
    endSessions,
    settleRuns,
    settleAgentRuns,
    heedCancelRequests,
    surveyAttendance,
    endAbandonedEdits,
    carryClassifications,
    parseFrameworks,
    sweepParseJobs,
    drainDriveQueue,
    forgetDriveJobs,
    renewChannels,
    tryAgain,
    outboxRelay,
    outboxRetention,
    remoteAgents,
    publishDigests,
    deliverWebhooks,
    forgetNotifications,
    heartbeat,
  });
  return new Ticker(rows, { registry, clock, watch: new TickLog(metrics), turn });
}
