// Outbound adapter. Asks the front door of agent-run for sessions.
import type { Actor } from '../../kernel/actor';
import type { AgentSessions } from '../../agent-run';
import type { OpenSession, SessionLookup } from '../ports/session-lookup';

export class AgentRunSessionLookup implements SessionLookup {
  constructor(private readonly sessions: AgentSessions) {}

  find(actor: Actor, sessionId: string, now: Date): Promise<OpenSession | null> {
    return this.sessions.find(actor, sessionId, now);
  }

  sweep(now: Date): Promise<Date | null> {
    return this.sessions.sweep(now);
  }

  over(sessionIds: readonly string[], now: Date): Promise<string[]> {
    return this.sessions.over(sessionIds, now);
  }
}
