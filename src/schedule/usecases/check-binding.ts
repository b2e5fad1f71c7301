// Whether what a task points at exists: its assistant, its thread, its folder. Asked after the domain accepted the task
// and before anything is written.
import type { Actor } from '../../kernel/actor';
import { InvalidTaskError, SessionNotFoundError, ThreadNotFoundError, UnknownAssistantError } from '../domain/errors';
import type { ScheduledTask } from '../domain/task';
import type { AssistantLookup } from '../ports/assistant-lookup';
import type { SessionLookup } from '../ports/session-lookup';
import type { ThreadLookup } from '../ports/thread-lookup';

/** Used when a task names no assistant. */
export const DEFAULT_ASSISTANT = 'default';

export class CheckBinding {
  constructor(
    private readonly threads: ThreadLookup,
    private readonly assistants: AssistantLookup,
    private readonly sessions: SessionLookup,
  ) {}

  /** Only what `before` does not already point at is looked up, so an old task stays editable. */
  async run(actor: Actor, task: ScheduledTask, now: Date, before?: ScheduledTask): Promise<void> {
    const { assistantId, workingFolder, threadId, sessionId } = task;
    if (assistantId !== before?.assistantId) {
      const known = await this.assistants.ids();
      if (!known.includes(assistantId)) throw new UnknownAssistantError(assistantId, known);
    }
    if (workingFolder !== null && (workingFolder !== before?.workingFolder || assistantId !== before.assistantId)) {
      const refusal = await this.assistants.refusesFolder(assistantId, workingFolder);
      if (refusal !== null) throw new InvalidTaskError('working_folder', refusal);
    }
    if (threadId !== null && threadId !== before?.threadId && !(await this.threads.exists(actor, threadId))) {
      throw new ThreadNotFoundError(threadId);
    }
    if (
      sessionId !== null &&
      sessionId !== before?.sessionId &&
      (await this.sessions.find(actor, sessionId, now)) === null
    ) {
      throw new SessionNotFoundError(sessionId);
    }
  }
}
