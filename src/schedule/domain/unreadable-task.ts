// Domain value: what can be said of a stored row that makes no task, for the operator who has to mend it.
import type { Owner } from '../../kernel/actor';

export interface UnreadableTask {
  readonly id: string;
  readonly owner: Owner;
  readonly title: string;
  readonly status: string;
  /** What is wrong with it, and how to repair it. */
  readonly error: string;
}
