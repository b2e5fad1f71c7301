// Domain value: what a run asks of whoever executes prompts. Everything that belongs to tasks travels in `metadata`, which
// the other side hands back at the end and does not understand. No credential is ever part of it.
import type { Owner } from '../../kernel/actor';
import type { ScheduledRun } from './run';
import type { TaskRule } from './task-rule';

export interface LaunchOrder {
  /** The run's id: asking twice starts once. */
  readonly requestId: string;
  readonly owner: Owner;
  readonly threadId: string;
  /** Only a fresh task's thread may be made; a bound one that is gone is a failed launch, not a new conversation. */
  readonly createThread: boolean;
  readonly assistantId: string;
  readonly prompt: string;
  readonly workingFolder: string | null;
  readonly metadata: Readonly<
    Record<'scheduled_task_id' | 'scheduled_task_run_id' | 'scheduled_trigger' | 'scheduled_for', string>
  >;
}

export type OrderedTask = Pick<
  TaskRule,
  'id' | 'owner' | 'assistantId' | 'prompt' | 'workingFolder' | 'contextMode' | 'threadId' | 'overlapPolicy'
>;

export function launchOrder(
  task: OrderedTask,
  run: Pick<ScheduledRun, 'id' | 'threadId' | 'trigger' | 'scheduledFor'>,
): LaunchOrder {
  return {
    requestId: run.id,
    owner: task.owner,
    threadId: run.threadId,
    createThread: task.contextMode === 'fresh_thread_per_run',
    assistantId: task.assistantId,
    prompt: delivered(task),
    workingFolder: task.workingFolder,
    metadata: {
      scheduled_task_id: task.id,
      scheduled_task_run_id: run.id,
      scheduled_trigger: run.trigger,
      scheduled_for: run.scheduledFor.toISOString(),
    },
  };
}

/** Into a conversation whose agent is waited for, people's words and planned ones come mixed: these say what they are. */
function delivered({ prompt, overlapPolicy, contextMode }: OrderedTask): string {
  return overlapPolicy === 'queue' && contextMode === 'reuse_thread' ? `[Scheduled] ${prompt}` : prompt;
}

/** The one thread of a dispatch: the bound one, or the fresh one whose id the caller made. */
export function threadOf(task: Pick<TaskRule, 'contextMode' | 'threadId'>, fresh: string): string {
  return task.contextMode === 'reuse_thread' && task.threadId !== null ? task.threadId : fresh;
}
