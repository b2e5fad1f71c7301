// The schedule: what people asked for (what the house does by itself is `scheduler`). The front door.
export { ScheduleModule } from './schedule.module';
export { DeliverWaiting } from './usecases/deliver-waiting';
export { RemoveSessionTasks } from './usecases/remove-session-tasks';
export { DispatchDue } from './usecases/dispatch-due';
export { SettleRuns } from './usecases/settle-runs';
export { LaunchRun } from './usecases/launch-run';
export { RecomputeNextRuns } from './usecases/recompute-next-runs';
export { ReadRuns } from './usecases/read-runs';
export { ScheduleBacklog } from './usecases/schedule-backlog';
