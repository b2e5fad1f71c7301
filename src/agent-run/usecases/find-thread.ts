// Use case. Reads a thread and what was said on it.
import type { Actor } from '../../kernel/actor';
import { ThreadNotFoundError } from '../domain/errors';
import { couldBeId } from '../domain/plain-text';
import type { Thread, ThreadMessage } from '../domain/thread';
import type { MessagePage, ThreadRepository } from '../ports/thread-repository';

export type ThreadSummary = Thread;

export class FindThread {
  constructor(private readonly threads: ThreadRepository) {}

  /** Null: there is none, or it is somebody else's. */
  async run(actor: Actor, threadId: string): Promise<ThreadSummary | null> {
    return couldBeId(threadId) ? this.threads.find(actor, threadId) : null;
  }

  async orRefuse(actor: Actor, threadId: string): Promise<ThreadSummary> {
    const thread = await this.run(actor, threadId);
    if (thread === null) throw new ThreadNotFoundError(threadId);
    return thread;
  }

  async messages(actor: Actor, threadId: string, page: MessagePage): Promise<ThreadMessage[]> {
    await this.orRefuse(actor, threadId);
    return this.threads.messages(actor, threadId, page);
  }
}
