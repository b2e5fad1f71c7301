// Port. The assistants that the operator offers, as of now: they may change while the house runs.
import { token } from '../../kernel/token';
import type { Assistant } from '../domain/assistant';

export interface AssistantDirectory {
  /** In the order of the operator's file. */
  all(): readonly Assistant[];
  find(assistantId: string): Assistant | undefined;
  /** Reads the operator's settings again. When they are bad, this throws and the assistants stay as they were. */
  reload(): Promise<void>;
}

export const AssistantDirectory = token<AssistantDirectory>('AssistantDirectory');
