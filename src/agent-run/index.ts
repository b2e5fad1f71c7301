// Agent-run: threads, assistants and their drivers; how a prompt is executed. The front door: what others may use.
export { AgentRunModule } from './agent-run.module';
export type { AgentRunStatus, AgentRunSummary } from './domain/agent-run';
export type { AssistantSummary } from './domain/assistant';
export { StartAbortedError, StartUnsettledError } from './domain/errors';
export { AgentIsolation } from './ports/agent-isolation';
export { CancelRun } from './usecases/cancel-run';
export { CheckFolder } from './usecases/check-folder';
export { CreateThread } from './usecases/create-thread';
export { FindAssistant } from './usecases/find-assistant';
export { FindRuns } from './usecases/find-runs';
export { FindThread, type ThreadSummary } from './usecases/find-thread';
export { HeedCancelRequests } from './usecases/heed-cancel-requests';
export { ListAssistants } from './usecases/list-assistants';
export { RunEndListeners, type RunEnd, type RunEndListener } from './usecases/run-end-listeners';
export { SettleAbandonedRuns } from './usecases/settle-abandoned-runs';
export { StartRun, type StartRunInput, type StartRunResult } from './usecases/start-run';
export { StopRuns } from './usecases/stop-runs';
