// Port. Which runs are in this machine's hands: whoever comes after a crash must find what was left behind.
import { token } from '../../kernel/token';

export interface WorkBook {
  /** Before the program is started. */
  note(requestId: string): Promise<void>;
  strike(requestId: string): Promise<void>;
  leftovers(): Promise<string[]>;
}

export const WorkBook = token<WorkBook>('WorkBook');
