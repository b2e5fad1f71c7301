// Outbound. The first fence: every read says whose rows it wants; row-level security is the second.
import type { Actor } from '../../kernel/actor';

/** Three parameters: is it the house itself, else which tenant's and which user's rows. */
export function scopeOf(actor: Actor): [boolean, number | null, string | null] {
  return actor.type === 'system' ? [true, null, null] : [false, actor.tenantId, actor.userId];
}
