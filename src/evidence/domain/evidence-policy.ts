// Domain. The limits that the operator sets.
import { token } from '../../kernel/token';

export interface EvidencePolicy {
  readonly maxFileBytes: number;
}

export const EvidencePolicy = token<EvidencePolicy>('EvidencePolicy');
