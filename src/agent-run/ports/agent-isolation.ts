// Port. How well agents are kept from the house's secrets here; health and the start banner say so.
import { token } from '../../kernel/token';

export interface AgentIsolation {
  readonly kind: 'user' | 'bubblewrap' | 'none';
  /** For the operator: what is done, or that nothing is and how to mend it. */
  inWords(): string;
}

export const AgentIsolation = token<AgentIsolation>('AgentIsolation');
