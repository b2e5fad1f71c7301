// Port: tells the workers of all processes that there is something to do. A lost wake costs one interval.
import { token } from '../../kernel/token';

export interface WorkerWake {
  wake(): void;
}

export const WorkerWake = token<WorkerWake>('WorkerWake');
