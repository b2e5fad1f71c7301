// Port. The process that this is, by the name under which others know whether it is alive.
import { token } from '../../kernel/token';

export interface ThisInstance {
  readonly id: string;
}

export const ThisInstance = token<ThisInstance>('ThisInstance');
