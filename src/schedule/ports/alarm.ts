// Port. Waiting for an instant by the clock of the house.
import { token } from '../../kernel/token';

export interface Alarm {
  /** Resolves with true at this instant, never before it; with false when it is silenced instead, and from then on at once. */
  at(instant: Date): Promise<boolean>;

  /** Everybody who waits goes home, for good. */
  silence(): void;
}

export const Alarm = token<Alarm>('Alarm');
