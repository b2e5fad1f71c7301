// Kernel. Which process this is. Fences, leases and runs carry its name, so that others can tell what a dead one held.
import { token } from './token';

/** Read `id` when it is needed and do not keep it: a process that was declared dead goes on under a new one. */
export interface ThisInstance {
  readonly id: string;
  /** No other process has been seen on the database for minutes. Not known: there may be others. */
  readonly alone?: boolean;
  /** Without contact to the database for so long that others may take over: nothing may be launched here. */
  readonly cutOff?: boolean;
}

export const ThisInstance = token<ThisInstance>('ThisInstance');
