// Use case. Opens, renews and ends sessions, and tells whoever has bound something to them.
import type { Actor, UserActor } from '../../kernel/actor';
import { prefixedId, type Ids } from '../../kernel/ids';
import type { ThisInstance } from '../../kernel/this-instance';
import { expiry, SESSION_ID_PREFIX, ttlSeconds, type AgentSession } from '../domain/agent-session';
import { SessionNotFoundError, ThreadNotFoundError, UnknownAssistantError } from '../domain/errors';
import { couldBeId } from '../domain/plain-text';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { FaultLog } from '../ports/fault-log';
import type { SessionRepository } from '../ports/session-repository';
import type { ThreadRepository } from '../ports/thread-repository';

export interface OpenSessionInput {
  readonly threadId: string | null;
  readonly assistantId: string | null;
  readonly ttlSeconds: number | null;
}

/** Wants to know when sessions are over. */
export interface SessionEndListener {
  sessionsEnded(sessionIds: readonly string[], now: Date): Promise<void>;
}

/** A session is over by time to the second, and with its process as soon as that is known to be dead. */
const LOOK_AGAIN_MS = 5_000;

export class AgentSessions {
  private readonly listeners: SessionEndListener[] = [];

  constructor(
    private readonly sessions: SessionRepository,
    private readonly threads: ThreadRepository,
    private readonly assistants: AssistantDirectory,
    private readonly faults: FaultLog,
    private readonly ids: Ids,
    private readonly instance: ThisInstance,
    /** Tells every process that there is a session to look after. */
    private readonly announce: () => void,
  ) {}

  subscribe(listener: SessionEndListener): void {
    this.listeners.push(listener);
  }

  async open(actor: UserActor, input: OpenSessionInput, now: Date): Promise<AgentSession> {
    const { threadId, assistantId } = input;
    const ttl = ttlSeconds(input.ttlSeconds);
    if (assistantId !== null && this.assistants.find(assistantId) === undefined) {
      throw new UnknownAssistantError(
        assistantId,
        this.assistants.all().map(({ id }) => id),
      );
    }
    if (threadId !== null && (!couldBeId(threadId) || (await this.threads.find(actor, threadId)) === null)) {
      throw new ThreadNotFoundError(threadId);
    }
    const session: AgentSession = {
      id: prefixedId(SESSION_ID_PREFIX, this.ids),
      owner: { tenantId: actor.tenantId, userId: actor.userId },
      threadId,
      assistantId,
      instanceId: this.instance.id,
      ttlSeconds: ttl,
      openedAt: now,
      expiresAt: expiry(now, ttl),
    };
    await this.sessions.add(actor, session);
    this.announce();
    return session;
  }

  list(actor: UserActor, now: Date): Promise<AgentSession[]> {
    return this.sessions.list(actor, now);
  }

  /** Null: over, or somebody else's. */
  async find(actor: Actor, sessionId: string, now: Date): Promise<AgentSession | null> {
    return couldBeId(sessionId) ? this.sessions.find(actor, sessionId, now) : null;
  }

  async one(actor: Actor, sessionId: string, now: Date): Promise<AgentSession> {
    const session = await this.find(actor, sessionId, now);
    if (session === null) throw new SessionNotFoundError(sessionId);
    return session;
  }

  async renew(actor: UserActor, sessionId: string, now: Date): Promise<AgentSession> {
    const session = couldBeId(sessionId) ? await this.sessions.renew(actor, sessionId, now) : null;
    if (session === null) throw new SessionNotFoundError(sessionId);
    return session;
  }

  async close(actor: UserActor, sessionId: string, now: Date): Promise<void> {
    if (!couldBeId(sessionId) || !(await this.sessions.close(actor, sessionId, now))) {
      throw new SessionNotFoundError(sessionId);
    }
    await this.tell([sessionId], now);
  }

  /** This process stops: what it holds ends with it. */
  async closeOwn(now: Date): Promise<void> {
    await this.tell(await this.sessions.closeHeldBy(this.instance.id, now), now);
  }

  /** Ends those whose time or process is over. Answers when to look again; null when there is none. */
  async sweep(now: Date): Promise<Date | null> {
    const { ended, open } = await this.sessions.sweep(now);
    await this.tell(ended, now);
    return open === 0 ? null : new Date(now.getTime() + LOOK_AGAIN_MS);
  }

  over(sessionIds: readonly string[], now: Date): Promise<string[]> {
    return sessionIds.length === 0 ? Promise.resolve([]) : this.sessions.over(sessionIds, now);
  }

  private async tell(ended: readonly string[], now: Date): Promise<void> {
    if (ended.length === 0) return;
    for (const listener of this.listeners) {
      try {
        await listener.sessionsEnded(ended, now);
      } catch (error) {
        this.faults.report(`what was bound to the sessions ${ended.join(', ')} could not be ended; it will be`, error);
      }
    }
  }
}
