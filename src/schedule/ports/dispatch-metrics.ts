// Port. What dispatching tells whoever counts.
import { token } from '../../kernel/token';

export type DispatchOutcome = 'launched' | 'skipped' | 'conflict' | 'failed' | 'unknown';

export interface DispatchMetrics {
  dispatched(outcome: DispatchOutcome, count?: number): void;
  /** Occurrences that left no row of their own. */
  missed(count: number): void;
  /** From the planned instant to the start, in seconds. */
  started(latenessSeconds: number): void;
}

export const DispatchMetrics = token<DispatchMetrics>('DispatchMetrics');
