// Domain. A conversation: what people and agents said to each other, run by run. At most one agent run is active
// on a thread; the store decides that, not this file.
import type { Owner } from '../../kernel/actor';
import { InvalidInputError } from './errors';

export interface Thread {
  readonly id: string;
  readonly owner: Owner;
  readonly title: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type MessageRole = 'user' | 'assistant' | 'system' | 'tool';

export interface ThreadMessage {
  /** Grows within a thread. A decimal number, as text: it may outgrow what JSON readers hold exactly. */
  readonly id: string;
  readonly threadId: string;
  readonly agentRunId: string | null;
  readonly role: MessageRole;
  readonly content: string;
  readonly createdAt: Date;
}

const THREAD_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A thread's id becomes the name of a folder: anything but these letters could lead out of it. */
export function threadId(value: string): string {
  if (!THREAD_ID.test(value)) {
    throw new InvalidInputError('thread_id', 'thread_id must be 1 to 64 ASCII letters, digits, "-" or "_".');
  }
  return value;
}
