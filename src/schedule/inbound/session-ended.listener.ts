// Inbound. Hears that sessions are over, and has the tasks removed that lived with them.
import type { AgentSessions, SessionEndListener } from '../../agent-run';
import type { RemoveSessionTasks } from '../usecases/remove-session-tasks';

export class SessionEndedListener implements SessionEndListener {
  constructor(
    sessions: AgentSessions,
    private readonly remove: RemoveSessionTasks,
  ) {
    sessions.subscribe(this);
  }

  sessionsEnded(sessionIds: readonly string[], now: Date): Promise<void> {
    return this.remove.ofSessions(sessionIds, now);
  }
}
