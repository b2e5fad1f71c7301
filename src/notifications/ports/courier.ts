// Port. Brings one delivery to its receiver, in the words of its target. Never throws: whatever happens is an attempt.
import { token } from '../../kernel/token';
import type { Attempt, Delivery } from '../domain/delivery';
import type { Endpoint, Secrets, Target } from '../domain/endpoint';

export interface Courier {
  /** What speaks against this address, before anybody calls it; undefined: nothing. */
  refusal(target: Target, url: string): string | undefined;
  newSecret(): string;
  bring(endpoint: Endpoint, secrets: Secrets | null, delivery: Delivery, now: Date): Promise<Attempt>;
}

export const Courier = token<Courier>('Courier');
