// Port: ids and tokens that nobody can guess.
import { token } from '../../kernel/token';

export interface ChannelSecrets {
  id(): string;
  token(): string;
}

export const ChannelSecrets = token<ChannelSecrets>('ChannelSecrets');
