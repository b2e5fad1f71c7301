// Port. Which assistants the operator offers, and where they may be put to work.
import { token } from '../../kernel/token';

export interface AssistantLookup {
  /** Ids of the assistants that exist now, in the operator's order. */
  ids(): Promise<readonly string[]>;

  /** Null when the assistant may work in this folder, else the reason why not, for the person who asked. */
  refusesFolder(assistantId: string, folder: string): Promise<string | null>;
}

export const AssistantLookup = token<AssistantLookup>('AssistantLookup');
