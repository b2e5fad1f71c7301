// Port. Where other processes of this very machine keep their files: what a dead one has left there can be read at once,
// and not only by its own next start.
import { token } from '../../kernel/token';

export interface Neighbours {
  /** The data folder of this process; null: it ran on another machine, or it cannot be told. */
  folderOf(instanceId: string): Promise<string | null>;
}

export const Neighbours = token<Neighbours>('Neighbours');
