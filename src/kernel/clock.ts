// Kernel. The type of a clock; the one clock of the house is platform/clock.ts. Most code takes `now` instead.
import { token } from './token';

/** For what goes on longer than one call: drivers and background loops. */
export interface Clock {
  now(): Date;
}

export const Clock = token<Clock>('Clock');
