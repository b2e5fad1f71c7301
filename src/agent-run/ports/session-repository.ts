// Port. Where sessions are kept. A session is open until it is closed, its time is over, or its process gives no sign of life.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { AgentSession } from '../domain/agent-session';

export interface SessionRepository {
  add(actor: Actor, session: AgentSession): Promise<void>;
  /** Null also for one that is over, or somebody else's. */
  find(actor: Actor, sessionId: string, now: Date): Promise<AgentSession | null>;
  /** The open ones, newest first. */
  list(actor: Actor, now: Date): Promise<AgentSession[]>;
  /** From `now` on for its time to live again; null when it is over, or somebody else's. */
  renew(actor: Actor, sessionId: string, now: Date): Promise<AgentSession | null>;
  /** False when it was over before, or is somebody else's. */
  close(actor: Actor, sessionId: string, now: Date): Promise<boolean>;
  /** Closes those that a process holds. Answers their ids. */
  closeHeldBy(instanceId: string, now: Date): Promise<string[]>;
  /** Writes down the end of those that are over by time or with their process. Answers their ids, and when the next may be. */
  sweep(now: Date): Promise<{ readonly ended: string[]; readonly open: number }>;
  /** Which of these are over, or have never been. */
  over(sessionIds: readonly string[], now: Date): Promise<string[]>;
}

export const SessionRepository = token<SessionRepository>('SessionRepository');
