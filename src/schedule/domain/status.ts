// Domain: the state machine of a task. Four derivations; in each the order of the tests is the meaning.
// What else changes beside the status (next_run_at, last_*, counters) is in dispatch.ts and record.ts.
import type { ScheduleType } from './schedule-spec';

export const TASK_STATUSES = ['enabled', 'paused', 'running', 'completed', 'failed', 'cancelled'] as const;

/** `running` means "a poller owns this round"; only a launched once task stays in it until its run ends. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** States without a future of their own: only a new schedule (or, for once, a run by hand) leads out of them. */
export const TERMINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const TRIGGERS = ['scheduled', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** How a run ended, as far as its task is concerned. */
export type OutcomeStatus = 'success' | 'failed' | 'interrupted';

export function isTerminal(status: TaskStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly TaskStatus[]).includes(status);
}

/** A once task first, whoever started it: a manual run of a once task is its run, even out of `paused` or `failed`. */
export function statusAfterLaunch(type: ScheduleType, trigger: Trigger, before: TaskStatus): TaskStatus {
  if (type === 'once') return 'running';
  else if (trigger === 'manual' && before === 'paused') return 'paused';
  else return 'enabled';
}

/** Manual first: a launch by hand that failed has used up nothing, the planned run is still to come. */
export function statusAfterFailure(type: ScheduleType, trigger: Trigger, before: TaskStatus): TaskStatus {
  if (trigger === 'manual') return before;
  else if (type === 'once') return 'failed';
  else return 'enabled';
}

/** A once task whose one occurrence was skipped has failed, not completed: what was asked for did not happen. */
export function statusAfterSkip(type: ScheduleType): TaskStatus {
  if (type === 'once') return 'failed';
  else return 'enabled';
}

/** `null`: the end of a run does not change a cron task, whose round was over at the launch. */
export function statusAfterCompletion(type: ScheduleType, outcome: OutcomeStatus): TerminalStatus | null {
  if (type === 'cron') return null;
  else if (outcome === 'success') return 'completed';
  else if (outcome === 'interrupted') return 'cancelled';
  else return 'failed';
}
