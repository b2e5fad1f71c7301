// Port. Whether a thread may be reused by a task of this person.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';

export interface ThreadLookup {
  /** False when it is absent or somebody else's: the two are never told apart. */
  exists(actor: Actor, threadId: string): Promise<boolean>;
}

export const ThreadLookup = token<ThreadLookup>('ThreadLookup');
