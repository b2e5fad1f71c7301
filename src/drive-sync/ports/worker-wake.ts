// Port: tells the workers of all processes that there is something to do. A lost wake costs one interval.
import { token } from '../../kernel/token';

export interface WorkerWake {
  wake(): void;
  /** Whether wakes come from other processes, too. If not, the queue has to be looked at now and then. */
  readonly arrives: boolean;
}

export const WorkerWake = token<WorkerWake>('WorkerWake');
