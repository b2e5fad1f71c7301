// Port: what the worker tells the operator.
import { token } from '../../kernel/token';

export interface WorkerLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const WorkerLog = token<WorkerLog>('WorkerLog');
