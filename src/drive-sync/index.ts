// Drive-sync: projects, tasks and evidence, and Google Drive, kept the same. The front door.
export { DriveSyncModule } from './drive-sync.module';
export { DriveProblemError } from './domain/drive-problem';
export { ChannelKeepers, type ChannelKeeper, type ChannelState } from './usecases/channel-keepers';
export { DrainQueue } from './usecases/drain-queue';
export { ForgetJobs } from './usecases/forget-jobs';
export { QueueChanges } from './usecases/queue-changes';
export { WatchDrive, type WatchedDrive } from './usecases/watch-drive';
