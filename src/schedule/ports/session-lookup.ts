// Port. The sessions that tasks may live and die with.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';

export interface OpenSession {
  readonly id: string;
  /** The conversation that goes on in it, and who speaks there. */
  readonly threadId: string | null;
  readonly assistantId: string | null;
}

export interface SessionLookup {
  /** Null when it is over, or somebody else's: the two are never told apart. */
  find(actor: Actor, sessionId: string, now: Date): Promise<OpenSession | null>;
  /** Writes down the end of sessions whose time or process is over. Answers when to look again; null when none is open. */
  sweep(now: Date): Promise<Date | null>;
  /** Which of these are over. */
  over(sessionIds: readonly string[], now: Date): Promise<string[]>;
}

export const SessionLookup = token<SessionLookup>('SessionLookup');
