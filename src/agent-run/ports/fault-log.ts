// Port. Where faults go that nobody waits for: a background step failed, and the house goes on.
import { token } from '../../kernel/token';

export interface FaultLog {
  /** `what` is a sentence for the operator. */
  report(what: string, error: unknown): void;
}

export const FaultLog = token<FaultLog>('FaultLog');
