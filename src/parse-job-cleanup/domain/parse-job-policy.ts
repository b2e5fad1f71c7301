// Domain. The limits that the operator sets.
import { token } from '../../kernel/token';

export interface ParseJobPolicy {
  readonly maxDocumentBytes: number;
  /** Older jobs are deleted softly; one of exactly this age is kept. */
  readonly ttlSeconds: number;
  /** Deleted ones are removed for good after this; null: never. */
  readonly purgeAfterSeconds: number | null;
  /** Whose process died is taken over after this long. */
  readonly leaseSeconds: number;
}

export const ParseJobPolicy = token<ParseJobPolicy>('ParseJobPolicy');
