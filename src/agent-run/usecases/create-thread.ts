// Use case. Opens an empty thread, for tasks that are to speak on one conversation.
import type { UserActor } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import { plainText } from '../domain/plain-text';
import type { Thread } from '../domain/thread';
import type { ThreadRepository } from '../ports/thread-repository';

export interface CreateThreadInput {
  readonly title: string | null;
}

export class CreateThread {
  constructor(
    private readonly threads: ThreadRepository,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, input: CreateThreadInput, now: Date): Promise<Thread> {
    const thread: Thread = {
      id: this.ids.uuid(),
      owner: { tenantId: actor.tenantId, userId: actor.userId },
      title: input.title === null ? null : plainText('title', input.title),
      createdAt: now,
      updatedAt: now,
    };
    await this.threads.add(actor, thread);
    return thread;
  }
}
