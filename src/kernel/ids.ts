// Kernel. Where new identifiers come from: handed in, since the domain has no randomness of its own.
import { token } from './token';

export interface Ids {
  /** A new UUID that grows with time (version 7, RFC 9562), so that new rows land side by side in an index. */
  uuid(): string;
}

export const Ids = token<Ids>('Ids');

/** A prefixed identifier, `task-` and 32 hexadecimal digits. Opaque to everyone who reads it. */
export function prefixedId(prefix: string, ids: Ids): string {
  return prefix + ids.uuid().replaceAll('-', '');
}
