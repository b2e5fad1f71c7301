// Port. Where threads are kept. Their messages are written by the runs (agent-run-repository).
import { token } from '../../kernel/token';
import type { Actor, Owner } from '../../kernel/actor';
import type { Thread, ThreadMessage } from '../domain/thread';

/**
 * A page ends sooner when this much has been said in it: answers may have a mebibyte each, and a few readers of full pages
 * would take all the memory there is.
 */
export const MOST_PAGE_BYTES = 4 * 1024 * 1024;

export interface MessagePage {
  readonly limit: number;
  /** The id of the last message that the reader has; null from the beginning. */
  readonly after: string | null;
}

export interface ThreadRepository {
  add(actor: Actor, thread: Thread): Promise<void>;
  /** Null also for somebody else's. `updatedAt` is the moment of the newest run, or of the thread's creation. */
  find(actor: Actor, threadId: string): Promise<Thread | null>;
  /** What this assistant's agent last called its conversation on the thread (AgentRun end.agentSession); null: nothing. */
  agentSession(owner: Owner, threadId: string, assistantId: string): Promise<string | null>;
  /**
   * Oldest first, at least one if there is one; those after it as long as MOST_PAGE_BYTES have not been reached. None
   * when the thread is somebody else's.
   */
  messages(actor: Actor, threadId: string, page: MessagePage): Promise<ThreadMessage[]>;
}

export const ThreadRepository = token<ThreadRepository>('ThreadRepository');
