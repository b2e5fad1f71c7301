// Domain. The limits that the operator sets.
import { token } from '../../kernel/token';

export interface ClassificationPolicy {
  /** The images that may be run; the first one when nobody says which. */
  readonly images: readonly string[];
  /** At once, in one process. */
  readonly maxRuns: number;
  readonly deadlineSeconds: number;
  readonly leaseSeconds: number;
  readonly maxFiles: number;
}

export const ClassificationPolicy = token<ClassificationPolicy>('ClassificationPolicy');
