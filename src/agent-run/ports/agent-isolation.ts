// Port. How well agents are kept from the house's secrets here; health and the start banner say so.
import { token } from '../../kernel/token';

export interface AgentIsolation {
  readonly kind: 'user' | 'bubblewrap' | 'none';
  /** One sentence for the operator. */
  readonly detail: string;
}

export const AgentIsolation = token<AgentIsolation>('AgentIsolation');
