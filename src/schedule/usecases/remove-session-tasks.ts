// Tasks that are not durable end with their session: removed like any other, so that a run under way goes on and one that
// waits is taken back. Told at once by the session's end; looked for as well, in case nobody was left to tell.
import { systemActor } from '../../kernel/actor';
import { CorruptTaskError } from '../domain/errors';
import type { BackgroundLog } from '../ports/background-log';
import type { SessionLookup } from '../ports/session-lookup';
import type { TaskRepository } from '../ports/task-repository';
import { changeTask } from './change-task';

const ACTOR = systemActor('tasks of sessions that are over');

export class RemoveSessionTasks {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly sessions: SessionLookup,
    private readonly log: BackgroundLog,
  ) {}

  /** Answers when to look again; null when no session is open, and the next one is announced. */
  async run(now: Date): Promise<Date | null> {
    const next = await this.sessions.sweep(now);
    await this.ofSessions(await this.sessions.over(await this.tasks.boundSessions(ACTOR), now), now);
    return next;
  }

  async ofSessions(sessionIds: readonly string[], now: Date): Promise<void> {
    const taskIds = sessionIds.length === 0 ? [] : await this.tasks.ofSessions(ACTOR, sessionIds);
    for (const taskId of taskIds) await this.remove(taskId, now);
  }

  private async remove(taskId: string, now: Date): Promise<void> {
    try {
      await changeTask(this.tasks, ACTOR, taskId, (task) => task.delete(now));
    } catch (error) {
      if (error instanceof CorruptTaskError) await this.tasks.discard(ACTOR, taskId, now);
      else this.log.warn(`Task ${taskId}, whose session is over, could not be removed yet.`, error);
    }
  }
}
