// Drive-sync. Where port meets adapter, and configuration meets policy. Needs Config, Sessions, Sealing, WakeChannel,
// OutboxConsumers, Metrics, Clock and ThisInstance from global modules.
import { Inject, Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import {
  AddEvidence,
  EditProjects,
  EditProjectTasks,
  EvidenceModule,
  LinkDrive,
  ReadEvidence,
  ReadProjects,
  ReplaceEvidenceContent,
  RestoreEvidence,
  SoftDeleteEvidence,
  UpdateEvidence,
} from '../evidence';
import { Clock } from '../kernel/clock';
import { ThisInstance } from '../kernel/this-instance';
import { Config } from '../platform/config/config';
import { SealedColumns, Sealing } from '../platform/crypto';
import { Metrics } from '../platform/metrics/metrics';
import { OutboxConsumers } from '../platform/outbox';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { bind, construct, provide } from '../platform/wiring';
import { SyncPolicy } from './domain/sync-policy';
import { ConnectionController } from './inbound/connection.controller';
import { contributeJobs, DriveMetrics } from './inbound/drive-metrics';
import { JobsController } from './inbound/jobs.controller';
import { ChannelWorkerWake } from './outbound/channel-worker-wake';
import { EvidenceCatalogue } from './outbound/evidence-catalogue';
import { GoogleConsents } from './outbound/google-consents';
import { GoogleDrives } from './outbound/google-drives';
import { GoogleClient } from './outbound/google-client';
import { REFRESH_TOKEN } from './outbound/integration.row';
import { SqlIntegrationRepository } from './outbound/sql-integration-repository';
import { SqlItemIndex } from './outbound/sql-item-index';
import { SqlJobQueue } from './outbound/sql-job-queue';
import { Catalogue } from './ports/catalogue';
import { Consents } from './ports/consents';
import { Drives } from './ports/drive';
import { IntegrationRepository } from './ports/integration-repository';
import { ItemIndex } from './ports/item-index';
import { JobMetrics } from './ports/job-metrics';
import { JobQueue } from './ports/job-queue';
import { WorkerLog } from './ports/worker-log';
import { WorkerWake } from './ports/worker-wake';
import { ChannelKeepers } from './usecases/channel-keepers';
import { ConnectDrive } from './usecases/connect-drive';
import { ConnectionLost } from './usecases/connection-lost';
import { DrainQueue } from './usecases/drain-queue';
import { FetchContent } from './usecases/fetch-content';
import { ArchiveDriveFile } from './usecases/archive-drive-file';
import { ImportDriveFile } from './usecases/import-drive-file';
import { SoftDeleteEvidence as SoftDeleteOurs } from './usecases/soft-delete-evidence';
import { CreateFolder } from './usecases/create-folder';
import { InitProjectFolders } from './usecases/init-project-folders';
import { RenameFolder } from './usecases/rename-folder';
import { FOLLOWED, FollowCatalogue } from './usecases/follow-catalogue';
import { ForgetJobs } from './usecases/forget-jobs';
import { JobHandlers } from './usecases/job-handlers';
import { KeepFolders } from './usecases/keep-folders';
import { ProcessDriveChanges } from './usecases/process-drive-changes';
import { PushEvidence } from './usecases/push-evidence';
import { QueueChanges } from './usecases/queue-changes';
import { ReadJobs } from './usecases/read-jobs';
import { RebuildAll } from './usecases/rebuild-all';
import { RebuildTenant } from './usecases/rebuild-tenant';
import { ReconcileTaskFolder } from './usecases/reconcile-task-folder';
import { RunJob } from './usecases/run-job';
import { SettleFile } from './usecases/settle-file';
import { WatchDrive } from './usecases/watch-drive';

const MIB = 1_048_576;

const DOORS = [
  ReadProjects,
  EditProjects,
  EditProjectTasks,
  ReadEvidence,
  AddEvidence,
  UpdateEvidence,
  ReplaceEvidenceContent,
  SoftDeleteEvidence,
  RestoreEvidence,
  LinkDrive,
] as const;

@Module({
  imports: [EvidenceModule],
  controllers: [ConnectionController, JobsController],
  providers: [
    provide(SyncPolicy, policyOf, [Config]),
    provide(WorkerLog, workerLog, []),
    construct(DriveMetrics, [Metrics]),
    provide(JobMetrics, (metrics: DriveMetrics) => metrics, [DriveMetrics]),
    bind(WorkerWake, ChannelWorkerWake, [WakeChannel]),
    bind(JobQueue, SqlJobQueue, [Sessions]),
    bind(ItemIndex, SqlItemIndex, [Sessions]),
    bind(IntegrationRepository, SqlIntegrationRepository, [Sessions, Sealing]),
    provide(
      Drives,
      (sessions: Sessions, sealing: Sealing, config: Config) => new GoogleDrives(sessions, sealing, googleOf(config)),
      [Sessions, Sealing, Config],
    ),
    provide(
      Consents,
      (sessions: Sessions, sealing: Sealing, config: Config) => new GoogleConsents(sessions, sealing, googleOf(config)),
      [Sessions, Sealing, Config],
    ),
    provide(Catalogue, catalogueOf, DOORS),
    construct(ChannelKeepers, []),
    construct(ConnectionLost, [IntegrationRepository, WorkerLog]),
    construct(RebuildTenant, [Catalogue, JobQueue]),
    construct(RebuildAll, [IntegrationRepository, RebuildTenant, JobQueue]),
    construct(KeepFolders, [ItemIndex, Catalogue, IntegrationRepository, JobQueue, SyncPolicy]),
    construct(FetchContent, [SyncPolicy]),
    construct(PushEvidence, [ItemIndex, Catalogue, KeepFolders, JobQueue]),
    construct(SettleFile, [ItemIndex, Catalogue, FetchContent, PushEvidence]),
    construct(ImportDriveFile, [SettleFile]),
    construct(ArchiveDriveFile, [SettleFile]),
    construct(SoftDeleteOurs, [SettleFile]),
    construct(InitProjectFolders, [Catalogue, ItemIndex, KeepFolders, JobQueue]),
    construct(CreateFolder, [Catalogue, KeepFolders]),
    construct(RenameFolder, [Catalogue, ItemIndex]),
    construct(ReconcileTaskFolder, [Catalogue, ItemIndex, KeepFolders, PushEvidence, SettleFile, JobQueue]),
    construct(ProcessDriveChanges, [IntegrationRepository, ItemIndex, JobQueue, RebuildTenant, WorkerLog]),
    provide(
      JobHandlers,
      (...handlers: ConstructorParameters<typeof JobHandlers>[0][number][]) => new JobHandlers(handlers),
      [
        ArchiveDriveFile,
        CreateFolder,
        ImportDriveFile,
        InitProjectFolders,
        ProcessDriveChanges,
        ReconcileTaskFolder,
        RenameFolder,
        SoftDeleteOurs,
      ],
    ),
    provide(RunJob, runJob, [
      JobHandlers,
      Drives,
      IntegrationRepository,
      JobQueue,
      ConnectionLost,
      JobMetrics,
      WorkerLog,
      Clock,
    ]),
    construct(DrainQueue, [
      JobQueue,
      WorkerWake,
      JobHandlers,
      RunJob,
      JobMetrics,
      WorkerLog,
      SyncPolicy,
      ThisInstance,
      Clock,
    ]),
    construct(ReadJobs, [JobQueue, WorkerWake]),
    construct(ForgetJobs, [JobQueue, SyncPolicy]),
    construct(QueueChanges, [JobQueue]),
    construct(FollowCatalogue, [JobQueue]),
    construct(WatchDrive, [IntegrationRepository, Drives, ConnectionLost]),
    construct(ConnectDrive, [IntegrationRepository, Consents, JobQueue, ChannelKeepers, RebuildTenant, WorkerWake]),
  ],
  exports: [DrainQueue, ForgetJobs, QueueChanges, WatchDrive, ChannelKeepers],
})
export class DriveSyncModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly worker: DrainQueue,
    private readonly follow: FollowCatalogue,
    private readonly consumers: OutboxConsumers,
    private readonly sealed: SealedColumns,
    private readonly metrics: Metrics,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sealed.add(REFRESH_TOKEN);
    contributeJobs(this.metrics, this.queue);
    this.consumers.register({
      name: 'drive-sync',
      types: FOLLOWED,
      consume: (events) => this.follow.run(events, this.clock.now()),
    });
  }

  /** What is in hand is asked to stop, and given back to the queue. */
  async onModuleDestroy(): Promise<void> {
    await this.worker.stop();
  }
}

function policyOf(config: Config): SyncPolicy {
  return {
    intervalMs: config.driveSyncIntervalSeconds * 1_000,
    batchSize: config.driveSyncBatchSize,
    leaseSeconds: config.driveSyncLeaseSeconds,
    pollMinutes: config.drivePollIntervalMinutes,
    retentionDays: config.driveJobRetentionDays,
    maxFileBytes: config.driveMaxFileMib * MIB,
    rootFolderName: config.driveRootFolderName,
  };
}

function workerLog(): WorkerLog {
  const logger = new Logger('DriveSyncWorker');
  return {
    info: (message) => logger.log(message),
    warn: (message) => logger.warn(message),
    error: (message) => logger.error(message),
  };
}

function googleOf(config: Config): GoogleClient | null {
  const { driveOauthClientId: clientId, driveOauthClientSecret: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  return new GoogleClient({
    clientId,
    clientSecret,
    redirectUri: `${config.publicUrl}/api/1.0/integrations/google-drive/tenant/callback`,
    scope: config.driveOauthScope,
    apiRootUrl: config.driveApiRootUrl,
    authUrl: config.driveOauthAuthUrl,
    tokenUrl: config.driveOauthTokenUrl,
    revokeUrl: config.driveOauthRevokeUrl,
  });
}

function catalogueOf(
  readProjects: ReadProjects,
  editProjects: EditProjects,
  editTasks: EditProjectTasks,
  read: ReadEvidence,
  add: AddEvidence,
  update: UpdateEvidence,
  replace: ReplaceEvidenceContent,
  remove: SoftDeleteEvidence,
  bringBack: RestoreEvidence,
  link: LinkDrive,
): Catalogue {
  const doors = { readProjects, editProjects, editTasks, read, add, update, replace, remove, bringBack, link };
  return new EvidenceCatalogue(doors);
}

function runJob(
  handlers: JobHandlers,
  drives: Drives,
  integrations: IntegrationRepository,
  queue: JobQueue,
  lost: ConnectionLost,
  metrics: JobMetrics,
  log: WorkerLog,
  clock: Clock,
): RunJob {
  return new RunJob(handlers, drives, integrations, queue, lost, metrics, log, clock, Math.random);
}
