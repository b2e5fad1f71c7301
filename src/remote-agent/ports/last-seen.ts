// Port. When agents were last heard of, and who is told when that changes.
import { token } from '../../kernel/token';
import type { Beat } from '../domain/heartbeat';

export interface Announced {
  /** How many there are that could come or go. */
  readonly agents: number;
  readonly online: number;
  readonly offline: number;
}

export interface LastSeen {
  /**
   * Writes many beats as one statement. Rows are locked in the order of their ids, so that processes that write the
   * same agents at once wait for one another and never in a circle; a time never goes back.
   */
  write(beats: readonly Beat[]): Promise<void>;
  /**
   * Finds agents that have come or gone since they were last announced, notes it, and appends `agent.online` and
   * `agent.offline` in the same transaction. Several processes may look at once: each change is announced once.
   */
  announce(thresholdSeconds: number): Promise<Announced>;
}

export const LastSeen = token<LastSeen>('LastSeen');
