// Outbound adapter. Asks the front door of agent-run which assistants there are.
import type { CheckFolder, ListAssistants } from '../../agent-run';
import type { AssistantLookup } from '../ports/assistant-lookup';

export class AgentRunAssistantLookup implements AssistantLookup {
  constructor(
    private readonly listAssistants: ListAssistants,
    private readonly checkFolder: CheckFolder,
  ) {}

  ids(): Promise<readonly string[]> {
    return Promise.resolve(this.listAssistants.run().map(({ id }) => id));
  }

  refusesFolder(assistantId: string, folder: string): Promise<string | null> {
    return Promise.resolve(this.checkFolder.run(assistantId, folder));
  }
}
