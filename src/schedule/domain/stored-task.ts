// Domain: from a stored row back to a task, and the way a row that makes none is mended. Storage hands over its raw values
// (task.row.ts); only here is it decided whether they still mean something.
import type { Owner } from '../../kernel/actor';
import { DomainError } from '../../kernel/domain-error';
import { CorruptTaskError, TaskBusyDispatchingError } from './errors';
import type { SchedulePolicy } from './schedule-policy';
import { firstRun, restoreScheduleSpec } from './schedule-spec';
import type { ScheduleSpec } from './schedule-spec';
import { TASK_STATUSES } from './status';
import type { TaskStatus } from './status';
import { ScheduledTask } from './task';
import type { TaskPatch } from './task';
import type { ProgressChange, TaskProgress } from './task-progress';
import { CONTEXT_MODES, OVERLAP_POLICIES, readBinding, readSpec, readTexts } from './task-rule';
import type { TaskRule } from './task-rule';

/** A row as it lies in the tables. Whatever a hand or an older version may have spoiled has its raw type. */
export interface StoredTask
  extends Omit<TaskRule, 'spec' | 'contextMode' | 'overlapPolicy'>, Omit<TaskProgress, 'status'> {
  readonly owner: Owner;
  readonly contextMode: string;
  readonly overlapPolicy: string;
  readonly scheduleType: string;
  readonly scheduleSpec: unknown;
  readonly timezone: string;
  readonly status: string;
}

/** Reads a stored schedule; a batch may hand in one that remembers its answers. */
export type ReadSpec = (type: unknown, spec: unknown, timezone: unknown) => ScheduleSpec;

/** Throws `CorruptTaskError`, never an error of kind invalid: who reads a task has sent nothing that could be wrong. */
export function restoreTask(stored: StoredTask, read: ReadSpec = restoreScheduleSpec): ScheduledTask {
  const spec = storedSpec(stored, read);
  const contextMode = known(CONTEXT_MODES, stored.contextMode, stored.id, 'context_mode');
  if ((contextMode === 'reuse_thread') !== (stored.threadId !== null)) {
    throw new CorruptTaskError(stored.id, `context_mode ${contextMode} does not go with its thread_id.`);
  }
  const overlapPolicy = known(OVERLAP_POLICIES, stored.overlapPolicy, stored.id, 'overlap_policy');
  const status = known(TASK_STATUSES, stored.status, stored.id, 'status');
  return new ScheduledTask({ ...ruleOf(stored), spec, contextMode, overlapPolicy }, progressOf(stored, status));
}

/**
 * A PATCH on a row that makes no task. It must carry a whole schedule (spec and zone; the type too, when the stored one is
 * no type); every other field may be mended along with it. The mended task starts anew as if just submitted: enabled,
 * or paused if it was.
 */
export function repairTask(stored: StoredTask, patch: TaskPatch, policy: SchedulePolicy, now: Date): ScheduledTask {
  if (stored.status === 'running') throw new TaskBusyDispatchingError(stored.id);
  if (absent(patch.scheduleSpec) || absent(patch.timezone)) {
    throw new CorruptTaskError(stored.id, reasonOf(stored));
  }
  const scheduleType = absent(patch.scheduleType) ? stored.scheduleType : patch.scheduleType;
  const overlapPolicy = OVERLAP_POLICIES.find((one) => one === stored.overlapPolicy) ?? 'skip';
  const texts = readTexts(patch, { ...stored, overlapPolicy });
  const spec = readSpec({ ...patch, scheduleType }, now);
  const nextRunAt = firstRun(spec, now, policy.minOnceDelaySeconds);
  const binding = readBinding(patch, mendedBinding(stored));
  return new ScheduledTask(
    { ...ruleOf(stored), ...texts, ...binding, spec, updatedAt: now },
    { ...progressOf(stored, stored.status === 'paused' ? 'paused' : 'enabled'), nextRunAt },
  );
}

/**
 * What a claim does to a due row that makes no task: it has failed, says why, and has no next instant, so that it is not
 * claimed again after every lease. Its occurrence is counted; it takes no place.
 */
export function progressOfCorrupt(error: CorruptTaskError): ProgressChange {
  return { status: 'failed', nextRunAt: null, lastError: error.message, missedBy: 1 };
}

function storedSpec(stored: StoredTask, read: ReadSpec): ScheduleSpec {
  try {
    return read(stored.scheduleType, stored.scheduleSpec, stored.timezone);
  } catch (error) {
    // Anything else is a fault of ours, and no word about the row.
    if (!(error instanceof DomainError)) throw error;
    throw new CorruptTaskError(stored.id, error.message, { cause: error });
  }
}

function reasonOf(stored: StoredTask): string {
  try {
    restoreTask(stored);
    return 'it was mended meanwhile.';
  } catch (error) {
    if (error instanceof CorruptTaskError && error.cause instanceof DomainError) return error.cause.message;
    return 'one of its stored values is unknown.';
  }
}

/** A mode nobody knows counts as the default; a bound mode without its thread asks for one (or for fresh threads). */
function mendedBinding(stored: StoredTask): Pick<TaskRule, 'contextMode' | 'threadId'> {
  const contextMode = CONTEXT_MODES.find((mode) => mode === stored.contextMode) ?? 'fresh_thread_per_run';
  return { contextMode, threadId: stored.threadId };
}

function ruleOf(stored: StoredTask): Omit<TaskRule, 'spec' | 'contextMode' | 'overlapPolicy'> {
  const { id, owner, title, prompt, assistantId, threadId, workingFolder, misfireGraceSeconds } = stored;
  const { queueTimeoutSeconds, recurring, sessionId, createdAt, updatedAt, deletedAt } = stored;
  return {
    ...{ id, owner, title, prompt, assistantId, threadId, workingFolder, misfireGraceSeconds },
    ...{ queueTimeoutSeconds, recurring, sessionId, createdAt, updatedAt, deletedAt },
  };
}

function progressOf(stored: StoredTask, status: TaskStatus): TaskProgress {
  const { nextRunAt, lastRunAt, lastRunId, lastThreadId, lastError, runCount, missedOccurrences, version } = stored;
  return { status, nextRunAt, lastRunAt, lastRunId, lastThreadId, lastError, runCount, missedOccurrences, version };
}

function known<T extends string>(values: readonly T[], value: string, taskId: string, column: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new CorruptTaskError(taskId, `its ${column} ${JSON.stringify(value)} is unknown.`);
  return found;
}

function absent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
