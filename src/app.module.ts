// The list of features, on the ground they stand on. Nothing else.
import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import { AgentRunModule, HeedCancelRequests, PromoteQueued, SettleAbandonedRuns, TryAgain } from './agent-run';
import { EvidenceModule } from './evidence';
import { CarryRuns, EvidenceClassificationModule } from './evidence-classification';
import { ParseFrameworks, ParseJobCleanupModule, SweepParseJobs } from './parse-job-cleanup';
import { DrainQueue, DriveSyncModule, ForgetJobs } from './drive-sync';
import { DeliverDue, ForgetNotifications, NotificationsModule, PublishDigests } from './notifications';
import { AuthModule } from './platform/auth';
import { ClockModule } from './platform/clock.module';
import { ConfigModule } from './platform/config/config.module';
import { CryptoModule } from './platform/crypto';
import type { Ground } from './platform/ground/ground';
import { HealthModule } from './platform/health/health.module';
import { HttpModule } from './platform/http/http.module';
import { InstancesModule } from './platform/instances/instances.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import { OutboxModule } from './platform/outbox/outbox.module';
import { PersistenceModule } from './platform/persistence/persistence.module';
import { SocketsModule } from './platform/sockets';
import { loggerParams } from './platform/protocol/logging';
import { AgentUpkeep, RemoteAgentModule } from './remote-agent';
import {
  DeliverWaiting,
  DispatchDue,
  RemoveSessionTasks,
  ScheduleBacklog,
  ScheduleModule,
  SettleRuns,
} from './schedule';
import { SchedulerModule } from './scheduler/scheduler.module';
import { AttendSurvey, EndAbandoned, SurveyCollaborationModule } from './survey-collaboration';
import { RenewChannels, WebhookRenewalModule } from './webhook-renewal';

@Module({})
export class AppModule {
  static on({ config, databaseUrl }: Pick<Ground, 'config' | 'databaseUrl'>, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggerModule.forRoot(loggerParams(logger)),
        ConfigModule.with(config),
        PersistenceModule.connect({ url: databaseUrl, poolSize: config.databasePoolSize }),
        ClockModule,
        InstancesModule,
        HttpModule,
        MetricsModule,
        HealthModule,
        OutboxModule,
        AuthModule,
        SocketsModule,
        CryptoModule,
        AgentRunModule,
        ScheduleModule,
        EvidenceModule,
        SurveyCollaborationModule,
        EvidenceClassificationModule,
        ParseJobCleanupModule,
        DriveSyncModule,
        WebhookRenewalModule,
        RemoteAgentModule,
        NotificationsModule,
        SchedulerModule.with({
          modules: [
            ScheduleModule,
            AgentRunModule,
            SurveyCollaborationModule,
            EvidenceClassificationModule,
            ParseJobCleanupModule,
            DriveSyncModule,
            WebhookRenewalModule,
            RemoteAgentModule,
            NotificationsModule,
          ],
          dispatchDue: DispatchDue,
          deliverWaiting: DeliverWaiting,
          promoteQueued: PromoteQueued,
          endSessions: RemoveSessionTasks,
          settleRuns: SettleRuns,
          settleAgentRuns: SettleAbandonedRuns,
          heedCancelRequests: HeedCancelRequests,
          endAbandonedEdits: EndAbandoned,
          carryClassifications: CarryRuns,
          parseFrameworks: ParseFrameworks,
          sweepParseJobs: SweepParseJobs,
          surveyAttendance: AttendSurvey,
          drainDriveQueue: DrainQueue,
          forgetDriveJobs: ForgetJobs,
          renewChannels: RenewChannels,
          remoteAgents: AgentUpkeep,
          publishDigests: PublishDigests,
          deliverWebhooks: DeliverDue,
          forgetNotifications: ForgetNotifications,
          tryAgain: TryAgain,
          backlog: ScheduleBacklog,
        }),
      ],
    };
  }
}
