// Port. Tells every poller of the house that something may be due, or a place may be free, sooner than it thought.
import { token } from '../../kernel/token';

export interface PollerWake {
  /** Returns at once; many calls in a short time become one wake. Never throws: pollers look by themselves, only later. */
  wake(): void;

  /** The same for whoever gives runs that wait their turn: a conversation may be idle now. */
  wakeWaiting(): void;
}

export const PollerWake = token<PollerWake>('PollerWake');
