// Outbound adapter. Asks the front door of agent-run for a thread.
import type { Actor } from '../../kernel/actor';
import type { FindThread } from '../../agent-run';
import { isThreadId } from '../domain/task-rule';
import type { ThreadLookup } from '../ports/thread-lookup';

export class AgentRunThreadLookup implements ThreadLookup {
  constructor(private readonly findThread: FindThread) {}

  async exists(actor: Actor, threadId: string): Promise<boolean> {
    return isThreadId(threadId) && (await this.findThread.run(actor, threadId)) !== null;
  }
}
