// Test support. ThreadLookup over a list of threads and their owners.
import type { Actor, Owner } from '../../../src/kernel/actor';
import type { ThreadLookup } from '../../../src/schedule/ports/thread-lookup';
import { sees } from './books';

export class KnownThreads implements ThreadLookup {
  private readonly owners = new Map<string, Owner>();
  readonly asked: string[] = [];

  add(threadId: string, owner: Owner): void {
    this.owners.set(threadId, owner);
  }

  exists(actor: Actor, threadId: string): Promise<boolean> {
    this.asked.push(threadId);
    const owner = this.owners.get(threadId);
    return Promise.resolve(owner !== undefined && sees(actor, owner));
  }
}
