// Port. Where threads are kept. Their messages are written by the runs (agent-run-repository).
import { token } from '../../kernel/token';
import type { Actor } from '../../kernel/actor';
import type { Thread, ThreadMessage } from '../domain/thread';

export interface MessagePage {
  readonly limit: number;
  /** The id of the last message that the reader has; null from the beginning. */
  readonly after: string | null;
}

export interface ThreadRepository {
  add(actor: Actor, thread: Thread): Promise<void>;
  /** Null also for somebody else's. `updatedAt` is the moment of the newest run, or of the thread's creation. */
  find(actor: Actor, threadId: string): Promise<Thread | null>;
  /** Oldest first. None when the thread is somebody else's. */
  messages(actor: Actor, threadId: string, page: MessagePage): Promise<ThreadMessage[]>;
}

export const ThreadRepository = token<ThreadRepository>('ThreadRepository');
