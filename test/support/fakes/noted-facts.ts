// Test support. RuntimeFacts in memory.
import type { RuntimeFacts } from '../../../src/schedule/ports/runtime-facts';

export class NotedFacts implements RuntimeFacts {
  readonly facts = new Map<string, string>();

  read(name: string): Promise<string | null> {
    return Promise.resolve(this.facts.get(name) ?? null);
  }

  note(name: string, value: string): Promise<void> {
    this.facts.set(name, value);
    return Promise.resolve();
  }
}
