// Use case. Which assistants there are. Users learn their ids and titles, never how they are run.
import { summaryOf, type AssistantSummary } from '../domain/assistant';
import type { AssistantDirectory } from '../ports/assistant-directory';

export class FindAssistant {
  constructor(private readonly assistants: AssistantDirectory) {}

  run(assistantId: string): AssistantSummary | null {
    const assistant = this.assistants.find(assistantId);
    return assistant === undefined ? null : summaryOf(assistant);
  }
}
