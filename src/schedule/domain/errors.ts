// Domain: what can go wrong with tasks and runs. What is wrong with a schedule itself is said by the files that read one
// (cron-expression.ts, time-zone.ts, moment.ts, schedule-spec.ts). Each message says what a person can do.
import { DomainError } from '../../kernel/domain-error';

/** Absent, deleted, or somebody else's: the three are never told apart. */
export class TaskNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'schedule.task-not-found';
  constructor(taskId: string) {
    super(`There is no scheduled task ${quoted(taskId)}. List your tasks to see their ids.`);
  }
}

/** Absent, or of somebody else's task. */
export class RunNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'schedule.run-not-found';
  constructor(runId: string) {
    super(`There is no run ${quoted(runId)}. List the runs of your tasks to see their ids.`);
  }
}

/** Absent, or somebody else's. */
export class ThreadNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'schedule.thread-not-found';
  constructor(threadId: string) {
    super(
      `There is no thread ${quoted(threadId)}. Use one of your own threads, or context_mode fresh_thread_per_run.`,
      {
        field: 'thread_id',
      },
    );
  }
}

/** Over, or somebody else's. */
export class SessionNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'schedule.session-not-found';
  constructor(sessionId: string) {
    super(`There is no open session ${quoted(sessionId)}. Open one first, or make the task durable.`, {
      field: 'session_id',
    });
  }
}

export class UnknownAssistantError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.unknown-assistant';
  constructor(assistantId: string, known: readonly string[] = []) {
    const hint =
      known.length > 0 ? `Choose one of: ${known.join(', ')}.` : 'List the assistants to see which there are.';
    super(`There is no assistant ${quoted(assistantId)}. ${hint}`, { field: 'assistant_id' });
  }
}

/** A field of a task that breaks its rule; the schedule fields have errors of their own. */
export class InvalidTaskError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.invalid-task';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

export class PromptTooLongError extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'schedule.prompt-too-long';
  constructor(limit: number) {
    super(
      `The prompt is longer than ${limit} characters. Put the bulk into a file the assistant can read, and say where it is.`,
      { field: 'prompt' },
    );
  }
}

/** A poller owns the task, or its one run is under way: nothing may change under its feet. */
export class TaskBusyDispatchingError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'schedule.task-dispatching';
  constructor(taskId: string) {
    super(
      `Task ${taskId} is being started, or its one run is under way. ` +
        'Try again when the run has ended, or cancel the run first.',
    );
  }
}

/** A manual trigger met the task's own active run. Leaves no trace: no row, no last_error. */
export class ActiveRunError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'schedule.active-run';
  constructor(taskId: string) {
    super(`Task ${taskId} has a run that has not ended yet. Wait for it, or cancel it, then trigger again.`);
  }
}

/** A once task that has had its run has no next one to resume for. */
export class TaskFinishedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'schedule.task-finished';
  constructor(taskId: string, status: string) {
    super(
      `Task ${taskId} is ${status}: its one run is over. ` +
        'Give it a new run_at to arm it again, trigger it by hand, or duplicate it.',
    );
  }
}

/** A once task whose moment passed while it was paused: resuming would leave it enabled and dead. */
export class MomentPassedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'schedule.moment-passed';
  constructor(taskId: string, runAt: Date) {
    super(
      `The moment of task ${taskId}, ${runAt.toISOString()}, has passed without a run. ` +
        'Give it a new run_at and resume it, or trigger it by hand.',
    );
  }
}

/** Three attempts to write lost against other writers. */
export class TaskChangedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'schedule.task-changed';
  constructor(taskId: string) {
    super(`Task ${taskId} kept changing while your edit was written; nothing of it was kept. Read it again and retry.`);
  }
}

/** The thread is in use by another run. A manual trigger answers with it and leaves a failed run that says so. */
export class ThreadBusyError extends DomainError {
  readonly kind = 'busy';
  readonly code = 'schedule.thread-busy';
  constructor(threadId: string) {
    super(`Thread ${quoted(threadId)} is busy with another run. Try again when it has ended, or cancel it.`);
  }
}

export class BudgetFullError extends DomainError {
  readonly kind = 'exhausted';
  readonly code = 'schedule.budget-full';
  constructor(budget: number) {
    super(
      `All ${budget} places for concurrent runs are taken; nothing was started. Try again when a run has ended, ` +
        'or ask the operator to raise SCHEDULE_MAX_CONCURRENT_RUNS.',
    );
  }
}

/** The launch failed and certainly no agent run exists; trying again cannot run anything twice. */
export class LaunchFailedError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'schedule.launch-failed';
  constructor(reason: string, options?: { cause?: unknown }) {
    super(`The assistant could not be started: ${reason} Nothing ran; mend the cause and trigger again.`, options);
  }
}

/** A stored row that no longer makes a task. Left out of lists and never claimed; a PATCH can mend it. */
export class CorruptTaskError extends DomainError {
  readonly kind = 'corrupt';
  readonly code = 'schedule.task-corrupt';
  constructor(taskId: string, reason: string, options?: { cause?: unknown }) {
    super(
      `The stored task ${taskId} cannot be read: ${reason} ` +
        'Repair it with a PATCH that carries a whole schedule (schedule_spec and timezone), or delete it.',
      options,
    );
  }
}

/** Ids come from outside: shown shortened, so that an answer never carries a novel back. */
function quoted(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
}
