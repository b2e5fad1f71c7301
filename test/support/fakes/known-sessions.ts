// Test support. Sessions that are open, by their ids, and whose they are.
import type { Actor } from '../../../src/kernel/actor';
import type { OpenSession, SessionLookup } from '../../../src/schedule/ports/session-lookup';

export class KnownSessions implements SessionLookup {
  readonly open = new Map<string, OpenSession & { readonly userId: string }>();

  add(id: string, userId = 'alice', more: Partial<OpenSession> = {}): void {
    this.open.set(id, { id, userId, threadId: null, assistantId: null, ...more });
  }

  find(actor: Actor, sessionId: string): Promise<OpenSession | null> {
    const session = this.open.get(sessionId);
    return Promise.resolve(
      session !== undefined && actor.type === 'user' && actor.userId === session.userId ? session : null,
    );
  }

  sweep(): Promise<Date | null> {
    return Promise.resolve(null);
  }

  over(sessionIds: readonly string[]): Promise<string[]> {
    return Promise.resolve(sessionIds.filter((id) => !this.open.has(id)));
  }
}
