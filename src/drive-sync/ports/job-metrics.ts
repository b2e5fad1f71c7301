// Port: figures of the queue.
import { token } from '../../kernel/token';

export interface JobMetrics {
  started(waitedSeconds: number): void;
  ended(type: string, status: string): void;
}

export const JobMetrics = token<JobMetrics>('JobMetrics');
