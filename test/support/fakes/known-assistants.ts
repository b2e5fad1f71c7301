// Test support. AssistantLookup over a fixed list; a folder is refused when a test says so.
import type { AssistantLookup } from '../../../src/schedule/ports/assistant-lookup';

export class KnownAssistants implements AssistantLookup {
  private readonly refusals = new Map<string, string>();

  constructor(private readonly known: readonly string[] = ['default', 'sample']) {}

  refuse(folder: string, reason: string): void {
    this.refusals.set(folder, reason);
  }

  ids(): Promise<readonly string[]> {
    return Promise.resolve(this.known);
  }

  refusesFolder(_assistantId: string, folder: string): Promise<string | null> {
    return Promise.resolve(this.refusals.get(folder) ?? null);
  }
}
