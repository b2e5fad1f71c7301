// Port. What the last start saw of its surroundings, to notice what has changed since.
import { token } from '../../kernel/token';

export interface RuntimeFacts {
  /** Null when nobody has noted it yet. */
  read(name: string): Promise<string | null>;
  note(name: string, value: string, now: Date): Promise<void>;
}

export const RuntimeFacts = token<RuntimeFacts>('RuntimeFacts');
