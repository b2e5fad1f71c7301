// Use case. Every assistant that the operator offers, in the order of the operator's file.
import { summaryOf, type AssistantSummary } from '../domain/assistant';
import type { AssistantDirectory } from '../ports/assistant-directory';

export class ListAssistants {
  constructor(private readonly assistants: AssistantDirectory) {}

  run(): AssistantSummary[] {
    return this.assistants.all().map(summaryOf);
  }
}
